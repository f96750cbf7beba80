// What the address of a page about one table names. Pure.

/** One game of a table, or whichever is played there. */
export interface Place {
  table: string;
  game?: number;
}

/** `/table/open/3/12`, `/table/open/3/12/1`; nothing where no table could have such a name. */
export function placeOf(path: string): Place | undefined {
  // Names of events are letters that are never written otherwise in an address, so nothing has to be decoded.
  const [, table, game] = /^\/\w+\/([\w-][\w.-]{0,63}\/[1-9]\d{0,4}\/[1-9]\d{0,4})(?:\/([1-9]\d*))?\/?$/.exec(path) ?? [];
  if (table === undefined) return undefined;
  return game === undefined ? { table } : { table, game: Number(game) };
}
