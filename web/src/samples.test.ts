// The daemon's frozen schema has the last word on what the feed's page shows, and on what the fold makes up.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

import { newTable } from "./fold";
import samples from "./samples.json";

const isFrame = schema("feed-v1.json");
const isSecond = schema("feed-v2.json");

function schema(name: string) {
  const text = readFileSync(resolve(import.meta.dirname, "../../protocol/schema", name), "utf8");
  return new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text));
}

test.each(samples.bodies)("the sample of $name is a frame of version 1", ({ json }) => {
  isFrame(json);
  expect(isFrame.errors).toBeNull();
});

test.each(samples.events)("the sample of $name is a change of version 1", ({ json }) => {
  isFrame({ v: 1, run: "b41c7e02", seq: 1, now: 1, changes: [json] });
  expect(isFrame.errors).toBeNull();
});

test.each(samples.second)("the sample of $name is a frame of version 2", ({ json }) => {
  isSecond(json);
  expect(isSecond.errors).toBeNull();
});

const isOrder = schema("order-v1.json");

test.each(samples.orders)("the example of $name is an order", ({ name, json }) => {
  isOrder(json);
  expect(isOrder.errors).toBeNull();
  expect(json.command).toBe(name);
});

test("every order there is has an example that it shows", () => {
  const written = readFileSync(resolve(import.meta.dirname, "../../protocol/schema/order-v1.json"), "utf8");
  const commands = JSON.parse(written).oneOf.flatMap((one: { properties?: { command?: { const?: string } } }) => one.properties?.command?.const ?? []);
  expect(samples.orders.map(({ name }) => name).sort()).toEqual([...commands].sort());
});

test("the schema of version 2 refuses what is no change", () => {
  expect(isSecond({ seq: 1, now: 1, changes: [{ ply: 1, san: "e4" }] })).toBe(false);
});

test("a table the fold makes up is one the daemon could send", () => {
  isSecond({ seq: 1, now: 1, snapshot: { v: 2, run: "b41c7e02", tables: [newTable("open/1/3")] } });
  expect(isSecond.errors).toBeNull();
});

test("the schema of version 1 refuses what is no change", () => {
  expect(isFrame({ v: 1, run: "b41c7e02", seq: 1, now: 1, changes: [{ t: 1, event: "seen", line: "e4" }] })).toBe(false);
});
