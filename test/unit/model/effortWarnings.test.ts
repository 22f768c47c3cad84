import { none, some } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { effortWarnings } from "../../../src/shell/model/effortWarnings.js";
import { until } from "../../support/until.js";

test("a level that the model does not take is told once for each model and level, and changes no settings", async () => {
  const told: unknown[] = [];
  const warned = effortWarnings("openai", (level, _message, fields) => told.push([level, fields]));
  const settings = { model: "gpt-5", windowTokens: 2, maxOutputTokens: 1, authority: none };
  for (const effort of ["low", "max", "max", "none"]) {
    const chosen = { ...settings, effort: some(effort) };
    expect(warned(chosen)).toBe(chosen);
  }
  warned({ ...settings, effort: none });
  await until("both warnings", () => told.length >= 2);
  expect(told).toEqual([
    ["warn", { model: "gpt-5", effort: "max", sent: "high" }],
    ["warn", { model: "gpt-5", effort: "none", sent: "minimal" }],
  ]);
});
