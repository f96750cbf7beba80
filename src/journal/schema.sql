-- Rows are only ever added: what was written is evidence. A correction is another row.

-- How the file began: scope, id, build, begun_wall_ms.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- One commit a row. inputs and entries count all up to and with this row, t_ms is the latest time in it, wall_ms the
-- time of day of the commit, told and came hold them (docs/journal.md), chain is the fingerprint of everything so far.
CREATE TABLE leaves (
    leaf INTEGER PRIMARY KEY,
    inputs INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    t_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    told BLOB NOT NULL,
    came BLOB NOT NULL,
    chain BLOB NOT NULL
) STRICT;

CREATE TRIGGER leaves_stay BEFORE UPDATE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves are never changed'); END;
CREATE TRIGGER leaves_keep BEFORE DELETE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves are never deleted'); END;

-- INSERT OR REPLACE deletes without firing the triggers for deletions.
CREATE TRIGGER leaves_hold BEFORE INSERT ON leaves WHEN EXISTS (SELECT 1 FROM leaves WHERE leaf = NEW.leaf)
BEGIN SELECT RAISE(ABORT, 'leaves are never replaced'); END;
