import { isLeft } from "fp-ts/lib/Either.js";
import { expect, test } from "vitest";
import { variantsOf, type Variation } from "../../../src/simulation/index.js";

const variants = (json: unknown, ...variations: readonly Variation[]): readonly (readonly [string, unknown])[] => {
  const read = variantsOf(json, variations);
  if (isLeft(read)) throw new Error(read.left);
  return read.right.map(
    ({ name, scenario }) =>
      [name, [scenario.policy.maxHandoffs, scenario.user.turns, scenario.tools[1]?.latencyMs]] as const,
  );
};
const constant = (value: number): unknown => ({ kind: "constant", value });

test("without a variation there is one variant, the scenario itself", () => {
  expect(variants({ user: { turns: 7 } })).toEqual([["", [10, constant(7), undefined]]]);
});

test("variations are combined, reach into lists, and make what was not there", () => {
  const json = { user: { turns: { kind: "uniform", min: 1, max: 2 } }, tools: [{ name: "a" }, { name: "b" }] };
  const found = variants(
    json,
    { path: "policy.maxHandoffs", values: [0, 3] },
    { path: "tools.1.latencyMs", values: [5, 6] },
  );
  expect(found).toEqual(
    [
      [0, 5],
      [0, 6],
      [3, 5],
      [3, 6],
    ].map(([handoffs, ms]) => [
      `policy.maxHandoffs=${handoffs} tools.1.latencyMs=${ms}`,
      [handoffs, { kind: "uniform", min: 1, max: 2 }, constant(ms ?? 0)],
    ]),
  );
  expect(json.tools[1]).toEqual({ name: "b" });
});

test("a variation that makes no scenario is named", () => {
  expect(variantsOf({}, [{ path: "user.cancelRate", values: [0, 2] }])).toEqual({
    _tag: "Left",
    left: "with user.cancelRate=2: scenario.user.cancelRate: expected a probability from 0 to 1, got 2",
  });
  expect(isLeft(variantsOf({}, [{ path: "__proto__.turns", values: [1] }]))).toBe(true);
});
