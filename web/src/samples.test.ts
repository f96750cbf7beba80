// The daemon's frozen schema has the last word on what the feed's page shows, and on what the fake hall says.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

import { newTable } from "./fold";
import samples from "./samples.json";

const SCHEMA = resolve(import.meta.dirname, "../../protocol/schema/feed-v1.json");
const isFrame = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(SCHEMA, "utf8")));

test.each(samples.bodies)("the sample of $name is a frame of version 1", ({ json }) => {
  isFrame(json);
  expect(isFrame.errors).toBeNull();
});

test.each(samples.events)("the sample of $name is a change of version 1", ({ json }) => {
  isFrame({ v: 1, run: "b41c7e02", seq: 1, now: 1, changes: [json] });
  expect(isFrame.errors).toBeNull();
});

test("a table the fold makes up is one the daemon could send", () => {
  isFrame({ v: 1, run: "b41c7e02", seq: 1, now: 1, snapshot: { tables: [newTable("open/1/3")] } });
  expect(isFrame.errors).toBeNull();
});

test("the schema refuses what is no change", () => {
  expect(isFrame({ v: 1, run: "b41c7e02", seq: 1, now: 1, changes: [{ t: 1, event: "seen", line: "e4" }] })).toBe(false);
});
