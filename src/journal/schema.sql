-- Rows are only ever added: what was written is evidence. A correction is another row.

-- How the file began: scope, build, begun_wall_ms.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Everything the hall was told, in order. t_ms is the time all decisions go by, wall_ms the time of day of the commit.
CREATE TABLE inputs (
    seq INTEGER PRIMARY KEY,
    t_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    table_no INTEGER,
    body TEXT NOT NULL
) STRICT;

-- What was published, the last input it follows from, and the build that drew the conclusion.
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    after_input INTEGER NOT NULL,
    t_ms INTEGER NOT NULL,
    wall_ms INTEGER NOT NULL,
    table_no INTEGER,
    game INTEGER NOT NULL,
    build TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;

CREATE TRIGGER inputs_stay BEFORE UPDATE ON inputs BEGIN SELECT RAISE(ABORT, 'inputs are never changed'); END;
CREATE TRIGGER inputs_keep BEFORE DELETE ON inputs BEGIN SELECT RAISE(ABORT, 'inputs are never deleted'); END;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entries_keep BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;

-- INSERT OR REPLACE deletes without firing the triggers for deletions.
CREATE TRIGGER inputs_hold BEFORE INSERT ON inputs WHEN EXISTS (SELECT 1 FROM inputs WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'inputs are never replaced'); END;
CREATE TRIGGER entries_hold BEFORE INSERT ON entries WHEN EXISTS (SELECT 1 FROM entries WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'entries are never replaced'); END;
