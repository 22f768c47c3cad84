/** The token law of a scenario's model, and what its provider says about a request by it. */
import { none, some } from "fp-ts/lib/Option.js";
import type { ReportedUsage } from "../core/usage.js";
import { purpose } from "./random.js";
import { happens, type World } from "./world.js";

export const tokensOf = (bytes: number, tokensPerByte: number): number => Math.ceil(bytes * tokensPerByte);

/** The longest text that has at most so many tokens. */
export const bytesOf = (tokens: number, tokensPerByte: number): number => Math.floor(tokens / tokensPerByte);

export interface RequestSize {
  readonly model: string;
  /** Revision of the history that is sent. */
  readonly revision: number;
  /** System text and tools. */
  readonly fixedBytes: number;
  /** All of it. */
  readonly bytes: number;
}

/**
 * Bytes at the beginning of the request that the provider has seen less than a cache lifetime ago; remembers this request.
 * While the history is only appended to, that is the last request; when it was rewritten, system text and tools.
 */
export const rememberPrefix = (world: World, size: RequestSize): number => {
  const { prefix, nowMs, stage } = world;
  const lifetimeMs = stage.scenario.model.cacheLifetimeMs;
  world.prefix = { ...size, atMs: nowMs };
  if (prefix === undefined || nowMs - prefix.atMs > lifetimeMs || prefix.model !== size.model) return 0;
  if (prefix.fixedBytes !== size.fixedBytes) return 0;
  return prefix.revision === size.revision ? Math.min(prefix.bytes, size.bytes) : size.fixedBytes;
};

export interface Tokens {
  readonly input: number;
  readonly output: number;
  /** Of the input. */
  readonly cached: number;
}

const MISSING = purpose("faults.usage.missing");
const OVERFLOWED = purpose("faults.usage.overflowed");
const ZERO_INPUT = purpose("faults.usage.zeroInput");
const PARTIAL = purpose("faults.usage.partial");

export const noUsage: ReportedUsage = {
  input: { kind: "absent" },
  output: none,
  cacheRead: none,
  cacheWrite: none,
  total: none,
};

/** What a reply says about its tokens, truthfully unless the scenario has it otherwise. */
export const reportedUsage = (
  world: World,
  { input, output, cached }: Tokens,
  turn: number,
  index: number,
): ReportedUsage => {
  const { model, faults } = world.stage.scenario;
  const fault = (rate: number, what: number): boolean => happens(world, rate, what, turn, index);
  if (fault(faults.usage.missing, MISSING)) return noUsage;
  const said = some(BigInt(output));
  if (fault(faults.usage.overflowed, OVERFLOWED)) return { ...noUsage, input: { kind: "overflowed" }, output: said };
  const inputTokens = fault(faults.usage.zeroInput, ZERO_INPUT) ? 0 : input;
  const usage = { ...noUsage, input: { kind: "exact" as const, tokens: BigInt(inputTokens) }, output: said };
  if (fault(faults.usage.partial, PARTIAL)) return usage;
  const cacheRead = Math.min(cached, inputTokens);
  const cacheWrite = model.cacheLifetimeMs > 0 ? inputTokens - cacheRead : 0;
  return {
    ...usage,
    cacheRead: some(BigInt(cacheRead)),
    cacheWrite: some(BigInt(cacheWrite)),
    total: some(BigInt(inputTokens + output)),
  };
};
