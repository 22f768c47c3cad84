import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import {
  REDUCER_LIMITS,
  SHELL_LIMITS,
  defaultPolicy,
  defaultShellLimits,
  type Limit,
} from "../../../src/core/policy.js";
import { anthropic, config, fault } from "./fixtures.js";

const settable = Object.entries<Limit>({ ...REDUCER_LIMITS, ...SHELL_LIMITS }).filter(
  ([, { variable }]) => variable !== "",
);

/** The value of one limit, whichever of the two tables it is in. */
const limitOf = (name: string, env: Readonly<Record<string, string>>): unknown => {
  const { policy, limits } = config({ ...anthropic, ...env });
  return { ...policy, ...limits }[name as keyof typeof limits];
};

test("without variables every limit has its default", () => {
  const { policy, limits } = config(anthropic);
  expect(policy).toEqual(defaultPolicy);
  expect(limits).toEqual(defaultShellLimits);
});

describe.each(settable)("%s", (name, { variable, min, max, default: fallback }) => {
  // The pair base/max of the restart waits has a rule of its own, told below; here each end is set together with its partner.
  const partner = variable === "BUZZ_AGENT_MCP_RESTART_BASE_MS" ? { BUZZ_AGENT_MCP_RESTART_MAX_MS: String(max) } : {};
  const base = variable === "BUZZ_AGENT_MCP_RESTART_MAX_MS" ? { BUZZ_AGENT_MCP_RESTART_BASE_MS: String(min) } : partner;

  test("takes both ends of its range", () => {
    expect(limitOf(name, { ...base, [variable]: String(min) })).toBe(min);
    expect(limitOf(name, { ...base, [variable]: ` +${max} ` })).toBe(max);
  });

  test("blank is unset", () => {
    expect(limitOf(name, { [variable]: "  " })).toBe(fallback);
  });

  test.each(["many", "1.5", "-1", "1e3", "0x10", "1_000", "5s", "9".repeat(400)])("refuses %s by name", (value) => {
    const line = fault({ ...anthropic, [variable]: value });
    expect(line).toMatch(new RegExp(`^turnfold: ${variable}: .* accepted: a whole number, ${min} `));
    expect(line).not.toContain("\n");
    expect(line.length).toBeLessThan(300);
  });
});

const bounded = (bound: "min" | "max", none: number) =>
  settable.flatMap(([, limit]) => (limit[bound] === none ? [] : [[limit.variable, limit[bound]] as const]));

test.each(bounded("min", 0))("%s: what is below %i is refused", (variable, min) => {
  expect(fault({ ...anthropic, [variable]: String(min - 1) })).toContain(`${variable}: "${min - 1}" is too small`);
});

test.each(bounded("max", Number.MAX_SAFE_INTEGER))("%s: what is above %i is refused", (variable, max) => {
  expect(fault({ ...anthropic, [variable]: String(max + 1) })).toContain(`${variable}: "${max + 1}" is too large`);
});

// F57: a timer of Node's above 2^31 − 1 ms fires at once, so that a very patient operator would get no patience at all.
test("no variable sets a wait that a timer cannot hold", () => {
  const longest = (unit: string) =>
    Math.max(...settable.flatMap(([, { variable, max }]) => (variable.endsWith(unit) ? [max] : [])));
  expect(longest("_MS")).toBeLessThan(2 ** 31);
  expect(longest("_SECS") * 1000).toBeLessThan(2 ** 31);
});

test("the longest restart wait is not below the first", () => {
  const env = { ...anthropic, BUZZ_AGENT_MCP_RESTART_BASE_MS: "800", BUZZ_AGENT_MCP_RESTART_MAX_MS: "799" };
  expect(fault(env)).toContain("BUZZ_AGENT_MCP_RESTART_MAX_MS: 799 is below BUZZ_AGENT_MCP_RESTART_BASE_MS (800)");
});

describe("tokens of window and reply", () => {
  const set = (windowTokens: string, outputTokens: string) => ({
    ...anthropic,
    BUZZ_AGENT_MAX_CONTEXT_TOKENS: windowTokens,
    BUZZ_AGENT_MAX_OUTPUT_TOKENS: outputTokens,
  });

  test("are unset by default, so that the model's own may count", () => {
    expect(config(anthropic)).toMatchObject({ windowTokens: O.none, outputTokens: O.none });
    expect(config(set("10", "9"))).toMatchObject({ windowTokens: O.some(10), outputTokens: O.some(9) });
  });

  test.each([
    ["10", "10", "BUZZ_AGENT_MAX_CONTEXT_TOKENS: the context window (10) does not exceed one reply (10)"],
    ["32768", "", "BUZZ_AGENT_MAX_CONTEXT_TOKENS: the context window (32768) does not exceed one reply (32768)"],
    ["", "200000", "BUZZ_AGENT_MAX_OUTPUT_TOKENS: the context window (200000) does not exceed one reply (200000)"],
    ["10", "0", 'BUZZ_AGENT_MAX_OUTPUT_TOKENS: "0" is too small'],
  ])("window %s with reply %s is refused", (windowTokens, outputTokens, line) => {
    expect(fault(set(windowTokens, outputTokens))).toContain(line);
  });
});
