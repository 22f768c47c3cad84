import * as fc from "fast-check";
import { none } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import type { HistoryItem } from "../../../src/core/history.js";
import { defaultPolicy } from "../../../src/core/policy.js";
import { SUMMARY_SYSTEM, summaryPrompt, type SummaryInput } from "../../../src/core/summaryPrompt.js";
import { utf8Bytes } from "../../../src/core/text.js";

const user = (text: string): HistoryItem => ({ kind: "user", turn: 1, origin: "prompt", text });
const withResult = (text: string): HistoryItem => ({
  kind: "assistant",
  turn: 1,
  text: "",
  replay: none,
  exchanges: [
    {
      call: { key: "t1r1c0", providerId: "p", name: "a__x", argumentsText: "{}", extra: "" },
      outcome: { kind: "closed", result: { parts: [{ kind: "text", text }], isError: false } },
    },
  ],
});
const prompt = (over: Partial<SummaryInput>): string =>
  summaryPrompt(
    { number: 1, originalTask: "the task", toolNames: [], items: [], carriedLength: 0, budgetBytes: 100_000, ...over },
    defaultPolicy,
  );
const OMISSION = "older history omitted";

describe("a summary prompt", () => {
  test("never exceeds its budget, system text included", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 3000 }).map(user), fc.string({ maxLength: 3000 }).map(withResult)), {
          maxLength: 20,
        }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.nat(20),
        fc.string({ maxLength: 3000 }),
        (items, budgetBytes, carriedLength, originalTask) => {
          const made = prompt({ items, budgetBytes, carriedLength, originalTask });
          expect(utf8Bytes(made)).toBeLessThanOrEqual(Math.max(0, budgetBytes - utf8Bytes(SUMMARY_SYSTEM)));
        },
      ),
    );
  });

  test("has all of a history that fits, oldest first, and says of nothing that it was left out", () => {
    const made = prompt({ items: [user("first"), withResult("second"), user("third")] });
    expect(made).toContain("## Session history");
    expect(made.indexOf("first")).toBeLessThan(made.indexOf("second"));
    expect(made.indexOf("second")).toBeLessThan(made.indexOf("third"));
    expect(made).not.toContain(OMISSION);
  });

  test("keeps the newest of a history that does not fit, and says that something was left out", () => {
    const items = Array.from({ length: 50 }, (_, i) => user(`item ${i} ${"x".repeat(1000)}`));
    const made = prompt({ items, budgetBytes: 20_000 });
    expect(made).toContain("item 49");
    expect(made).not.toContain("item 0 ");
    expect(made).toContain(OMISSION);
  });

  test("keeps an oversize newest item, cut", () => {
    const made = prompt({ items: [user("old"), user(`newest ${"x".repeat(50_000)}`)], budgetBytes: 20_000 });
    expect(made).toContain("newest");
    expect(made).toContain("[... cut ...]");
    expect(made).not.toContain("User (prompt): old");
    expect(made).toContain(OMISSION);
  });

  // The rungs of the overflow ladder sent the same prompt three times: an older item that filled the history was left out whole.
  test("cuts an older item to the room that is left rather than leaving it out whole", () => {
    const items = [user("task"), user(`big ${"x".repeat(60_000)}`), user("newest")];
    const made = prompt({ items, budgetBytes: 20_000 });
    expect(made).toContain("big x");
    expect(made).toContain("newest");
    expect(utf8Bytes(made)).toBeGreaterThan(18_000);
    expect(utf8Bytes(prompt({ items, budgetBytes: 10_000 }))).toBeLessThan(10_000);
  });

  test("gives room to results that no request has carried before newer items", () => {
    const budgetBytes = 20_000;
    // A steer that takes all the room but less than an item is ever cut to.
    const room = budgetBytes - utf8Bytes(SUMMARY_SYSTEM) - utf8Bytes(prompt({ items: [] })) - 100;
    const steer = user(`steer ${"s".repeat(room - 200)}`);
    const items = [user("task"), withResult(`fresh ${"r".repeat(1500)}`), steer];
    expect(prompt({ items, budgetBytes, carriedLength: 1 })).toContain("fresh");
    expect(prompt({ items, budgetBytes, carriedLength: 3 })).not.toContain("fresh");
  });

  test("gives one result at most an eighth of the budget, and never less than 512 bytes", () => {
    const lengthOf = (budgetBytes: number): number => {
      const made = prompt({ items: [withResult("r".repeat(100_000))], budgetBytes });
      return (made.match(/r{20,}/g) ?? []).join("").length;
    };
    expect(lengthOf(80_000)).toBeGreaterThan(9_500);
    expect(lengthOf(80_000)).toBeLessThanOrEqual(10_000);
    expect(lengthOf(3_500)).toBeGreaterThan(350);
  });

  test("cuts the original task to a quarter of the budget and to 16 KiB", () => {
    const lengthOf = (budgetBytes: number): number =>
      (prompt({ originalTask: "t".repeat(60_000), budgetBytes }).match(/t{20,}/g) ?? []).join("").length;
    expect(lengthOf(20_000)).toBeLessThanOrEqual(5_000);
    expect(lengthOf(20_000)).toBeGreaterThan(4_900);
    expect(lengthOf(1_000_000)).toBeLessThanOrEqual(16 * 1024);
  });

  test("names at most twenty tools", () => {
    const made = prompt({ toolNames: Array.from({ length: 30 }, (_, i) => `tool_${i}.`) });
    expect(made).toContain("tool_19.");
    expect(made).not.toContain("tool_20.");
  });
});
