// Words for what the daemon can say: every kind of alert and every ground of a result, in every language.

import { expect, test } from "vitest";

import answers from "../../../protocol/schema/answer-v1.json";
import schema from "../../../protocol/schema/feed-v2.json";
import { LANGUAGES } from "../say";

/** The members of an enumeration in the feed's schema. */
function members(name: string): string[] {
  const found = (schema.$defs as Record<string, { oneOf?: { const?: string }[]; enum?: string[] }>)[name]!;
  return found.enum ?? found.oneOf!.map((one) => one.const!);
}

/** The kinds of what stands in the way of an order. */
function inTheWay(): string[] {
  const found = (answers.$defs as Record<string, { oneOf?: { properties?: { kind?: { const?: string } } }[] }>)["Because"]!;
  return found.oneOf!.map((one) => one.properties!.kind!.const!);
}

/** Told to nobody, or taken for what it withdraws. */
const UNSAID = new Set(["threefold_available", "fifty_available", "clock_not_pressed", "alert_withdrawn"]);

test.each(Object.entries(LANGUAGES))("%s has words for every alert, reason, detail and ground", async (_name, load) => {
  const words = await load();
  for (const [kinds, known] of [
    [members("AlertKind").filter((kind) => !UNSAID.has(kind)), words.alerts],
    [members("IllegalReason"), words.reasons],
    [members("MismatchDetail"), words.details],
    [members("ResultReason"), words.resultReasons],
    [members("Claim"), words.claimKinds],
    [members("Score"), words.scores],
    [inTheWay(), words.refusals],
  ] as const) {
    expect(Object.keys(known).sort()).toEqual([...kinds].sort());
  }
});
