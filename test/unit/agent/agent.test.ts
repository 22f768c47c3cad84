import { left, right } from "fp-ts/lib/Either.js";
import { none } from "fp-ts/lib/Option.js";
import { expect, test } from "vitest";
import { defaultPolicy, defaultShellLimits } from "../../../src/core/policy.js";
import { createAgent } from "../../../src/shell/agent/agent.js";

const failure = { kind: "internal", message: "not asked", status: none } as const;
const settings = { model: "m", windowTokens: 1, maxOutputTokens: 1, authority: none, effort: none };

/** What an agent gives its servers, when it is asked for a session and the operator would wait `mcpGraceMs`. */
const graceGiven = async (mcpGraceMs: number): Promise<number> => {
  const given: number[] = [];
  const agent = createAgent({
    models: {
      port: {
        call: () => Promise.resolve({ kind: "failed", failure, attempts: { tries: 0, waitedMs: 0 } }),
        summarise: () => Promise.resolve({ kind: "failed", failure, attempts: { tries: 0, waitedMs: 0 } }),
      },
      configured: "m",
      effort: none,
      settings: () => settings,
      efforts: () => ({ efforts: [], default: none }),
      list: () => Promise.resolve(right([])),
    },
    policy: defaultPolicy,
    limits: { ...defaultShellLimits, mcpGraceMs },
    systemPrompt: "",
    readHints: () => Promise.resolve({ text: "", builtIns: [] }),
    openTools: (_request, _builtIns, graceMs) => {
      given.push(graceMs);
      return Promise.resolve(left({ kind: "aborted" }));
    },
    redact: (event) => event,
    record: () => ({ record: () => undefined, close: () => Promise.resolve() }),
    log: () => undefined,
  });
  const { signal } = new AbortController();
  const client = {
    publish: () => undefined,
    askPermission: () => Promise.resolve("cancelled" as const),
    whenDrained: () => Promise.resolve(),
  };
  await agent.open({ sessionId: "s", cwd: "/", mcpServers: [], systemPrompt: "", signal }, client);
  return given[0] ?? -1;
};

// With TURNFOLD_MCP_GRACE_MS above the 8 s of session/new one slow server failed the session, which the first round would have
// waited for. Kills a grace that does not know of the answer's own time.
test("an agent waits for its servers as long as the operator says, but never beyond the time of session/new", async () => {
  expect(await graceGiven(300)).toBe(300);
  expect(await graceGiven(60_000)).toBeLessThanOrEqual(7500);
  expect(await graceGiven(60_000)).toBeGreaterThan(5000);
});
