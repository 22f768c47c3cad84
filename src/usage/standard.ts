/**
 * What standard ACP says about usage (`spec/usage.md` 1.5, 1.6). Neither the scope of a prompt's `usage` nor the meaning of its
 * `inputTokens` is settled there, so the agent's command decides what its figures mean; of an unknown agent nothing is taken.
 */
import { isLeft } from "fp-ts/lib/Either.js";
import { getOrElse, isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { member, type Json } from "../core/json.js";
import { COUNTER_MAX } from "../core/usage.js";
import { unknownCounts, type Counts } from "./counts.js";
import { isCost, readTokens } from "./read.js";

export interface Adapter {
  /** Whether the cost of `usage_update` is the session's bill. */
  readonly cost: boolean;
  /** Whether the `usage` of a prompt's answer counts that prompt, with an `inputTokens` that leaves cached tokens out. */
  readonly promptUsage: boolean;
  /** Whether its `totalTokens` is the provider's own. */
  readonly total: boolean;
}

const CLAUDE: Adapter = { cost: true, promptUsage: true, total: false };
const CODEX: Adapter = { cost: false, promptUsage: true, total: true };

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  "claude-agent-acp": CLAUDE,
  "claude-code-acp": CLAUDE,
  "claude-code": CLAUDE,
  claudecode: CLAUDE,
  codex: CODEX,
  "codex-acp": CODEX,
  // Its cost is there only where it is proven for every request of the session; its tokens come by the other producer.
  turnfold: { cost: true, promptUsage: false, total: false },
};

export const IGNORED: Adapter = { cost: false, promptUsage: false, total: false };

/** Name of the agent's program without folder and extension: `codex-acp` for `/opt/bin/codex-acp.exe`. */
export const harnessName = (command: string): string => {
  const name = command.split(/[/\\]/).at(-1) ?? command;
  return name.replace(/\.(?:exe|cmd|bat|ps1|js|mjs|cjs)$/i, "");
};

export const adapterOf = (harness: string): Adapter =>
  Object.hasOwn(ADAPTERS, harness) ? (ADAPTERS[harness] ?? IGNORED) : IGNORED;

/** The cumulative cost of a standard `usage_update`: finite, not negative, and in US dollars (decision 13). */
export const readStandardCost = (update: Json | undefined): Option<number> => {
  const cost = member(update, "cost");
  const amount = member(cost, "amount");
  const usd = member(cost, "currency") === "USD";
  return usd && typeof amount === "number" && isCost(amount) ? some(amount) : none;
};

/** Counts of one prompt from the `usage` of its answer. None where it has no figure that could be used. */
export const readPromptUsage = (adapter: Adapter, usage: Json | undefined): Option<Counts> => {
  if (!adapter.promptUsage) return none;
  const tokens = (key: string): Option<bigint> => {
    const read = readTokens(usage, key);
    return isLeft(read) ? none : read.right;
  };
  const fresh = tokens("inputTokens");
  const cacheRead = tokens("cachedReadTokens");
  const cacheWrite = tokens("cachedWriteTokens");
  const zero = getOrElse(() => 0n);
  if (!isSome(fresh)) return none;
  const input = fresh.value + zero(cacheRead) + zero(cacheWrite);
  if (input > COUNTER_MAX) return none;
  const total = adapter.total ? tokens("totalTokens") : none;
  return some({ ...unknownCounts, input: some(input), output: tokens("outputTokens"), total, cacheRead, cacheWrite });
};
