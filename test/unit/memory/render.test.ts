import { describe, expect, test } from "vitest";
import { renderAnswer } from "../../../src/shell/memory/render.js";

const one = (similarity: number, ageHours: number, content = "x"): string =>
  renderAnswer("q", [{ content, similarity, ageHours }]);

describe("an answer", () => {
  test("numbers the memories behind a line that says how many there are and what was asked", () => {
    const answer = renderAnswer("@Recall Bot when did we agree on the colour of the shed?", [
      { content: "Blue was chosen on Tuesday.", similarity: 0.905, ageHours: 30 },
      { content: "  Paint is in the garage.  ", similarity: 0.5, ageHours: 0.5 },
    ]);
    expect(answer).toBe(
      [
        '2 memories for "@Recall Bot when did we agree on the colour of the shed?":',
        "",
        "1. [90% · 1d ago] Blue was chosen on Tuesday.",
        "2. [50% · just now] Paint is in the garage.",
      ].join("\n"),
    );
  });

  test("says memory for one", () => {
    expect(one(1, 2)).toBe('1 memory for "q":\n\n1. [100% · 2h ago] x');
  });

  test("quotes the question when there is none", () => {
    expect(renderAnswer("the question", [])).toMatch(/^No memories resonated.*"the question"/);
    expect(renderAnswer("the question", [])).not.toContain("\n");
  });

  test("keeps the lines inside a memory and trims its ends", () => {
    expect(one(1, 0, "\n a\n\n b \n")).toMatch(/\] a\n\n b$/);
  });

  test.each([
    [0.125, "12%"],
    [0.015, "2%"],
    [0.025, "2%"],
    [0.905, "90%"],
    [0.995, "100%"],
    [1.2, "120%"],
    [0, "0%"],
  ])("says %f as %s: from the middle to the even one", (similarity, expected) => {
    expect(one(similarity, 0)).toContain(`[${expected} · `);
  });

  test.each([
    [-3, "just now"],
    [0.9, "just now"],
    [1, "1h ago"],
    [1.5, "2h ago"],
    [23.4, "23h ago"],
    [23.5, "24h ago"],
    [24, "1d ago"],
    [36, "2d ago"],
    [Number.NaN, "0d ago"],
  ])("says an age of %f hours as %s", (ageHours, expected) => {
    expect(one(1, ageHours)).toContain(` · ${expected}] `);
  });
});
