// A small play that every turn is: prompt, reply with a call, tool result, final reply. For sessions of any length without a world.

/** @typedef {import("../../src/core/index.js").Session} Session */
/** @typedef {import("../../src/core/index.js").Event} Event */

const none = /** @type {const} */ ({ _tag: "None" });
const attempts = { tries: 1, waitedMs: 0 };
const usage = { input: { kind: "exact", tokens: 10n }, output: none, cacheRead: none, cacheWrite: none, total: none };
const reply = { text: "A line of an answer.", reasoning: "", calls: [], stop: { kind: "end" }, usage, replay: none };
const call = { providerId: "c", name: "fs__read", argumentsText: '{"path":"a"}', extra: "" };

/** What comes next. @param {Session} session @returns {Event} */
export const next = ({ phase, turns }) => {
  if (phase.kind === "awaitingModel") {
    const { effect, turn } = phase.sent;
    const said = phase.turn.round === 1 ? { ...reply, calls: [call], stop: { kind: "toolUse" } } : reply;
    return /** @type {Event} */ ({ type: "modelReplied", effect, turn, attempts, reply: said });
  }
  if (phase.kind === "awaitingTools") {
    const state = phase.batch.calls[0]?.state;
    if (state?.kind !== "running") throw new Error("the tool does not run");
    const outcome = {
      kind: "result",
      parts: [{ kind: "text", text: "A line of a file.\n".repeat(20) }],
      isError: false,
    };
    return /** @type {Event} */ ({ type: "toolFinished", effect: state.run, turn: phase.turn.number, outcome });
  }
  if (phase.kind !== "idle") throw new Error(`unexpected phase ${phase.kind}`);
  return { type: "promptReceived", request: "p", runId: `run-${turns + 1}`, text: "Read it, please." };
};

const tools = [{ name: "fs__read", description: "", schema: '{"type":"object"}', readOnly: true, builtIn: false }];

/**
 * A session with at least `items` items.
 * @param {typeof import("../../src/core/index.js")} core
 * @param {number} items
 */
export const grown = ({ defaultPolicy, initialSession, step }, items) => {
  /** @type {import("../../src/core/index.js").SessionConfig} */
  const config = {
    id: "bench",
    policy: { ...defaultPolicy, maxHistoryBytes: Number.MAX_SAFE_INTEGER },
    system: "You are a benchmark.",
    settings: { model: "m", effort: none, windowTokens: 2 ** 40, maxOutputTokens: 1000, authority: none },
  };
  let [session] = step(initialSession(config), { type: "catalogChanged", tools, hooks: [], complete: true });
  while (session.history.length < items) [session] = step(session, next(session));
  return session;
};
