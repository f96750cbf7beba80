// What is new at a table, for those who tell it: the picture before and the picture that is.

import type { Table } from "./vocabulary";

export interface News {
  before: Table | undefined;
  table: Table;
  /** Something that was final is not any more, or is another move. */
  isCorrected: boolean;
}
