// Which table and which game an address names.

import { expect, test } from "vitest";

import { placeOf } from "./address";

test("an address names a table, or one game of it", () => {
  expect(placeOf("/table/open/3/12")).toEqual({ table: "open/3/12" });
  expect(placeOf("/listen/spring-open_2026.b/3/12/")).toEqual({ table: "spring-open_2026.b/3/12" });
  expect(placeOf("/table/open/3/12/1")).toEqual({ table: "open/3/12", game: 1 });
});

test.each(["/table", "/table/", "/table/open", "/table/open/3", "/table/open/3/x", "/table/open/0/1", "/table/open/3/12/0", "/table/open/3/12/1/2", "/table/.open/3/12", "/table/%E0/1/1"])("%s names none", (path) => {
  expect(placeOf(path)).toBeUndefined();
});
