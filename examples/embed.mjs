// Embedding the turn loop in twenty lines: one queue of events, one `step`, and whatever carries its effects out. Here a
// "model" that calls a tool once and a tool that counts letters; `node examples/embed.mjs` prints what a client would see.
import { defaultPolicy, initialSession, step } from "turnfold";

const none = { _tag: "None" };
const some = (value) => ({ _tag: "Some", value });

const settings = { model: "demo", effort: none, windowTokens: 100_000, maxOutputTokens: 4000, authority: none };
const tool = {
  name: "count",
  description: "Counts letters.",
  schema: '{"type":"object"}',
  readOnly: true,
  builtIn: false,
};
const usage = {
  input: { kind: "exact", tokens: 900n },
  output: some(20n),
  cacheRead: none,
  cacheWrite: none,
  total: none,
};

/** Your model: gets the round, gives a reply. `modelRequest(session, effect)` would say what to send. */
const callModel = (round) => {
  const calls = [{ providerId: "1", name: "count", argumentsText: '{"word":"turnfold"}', extra: "" }];
  const reply = { text: "", reasoning: "", calls: [], stop: { kind: "end" }, usage, replay: none };
  return round === 1 ? { ...reply, calls, stop: { kind: "toolUse" } } : { ...reply, text: "It has eight letters." };
};

/** Your tools. */
const runTool = (argumentsText) => String(JSON.parse(argumentsText).word.length);

// The loop itself, twenty lines from here.
const queue = [
  { type: "catalogChanged", tools: [tool], hooks: [], complete: true },
  { type: "promptReceived", request: "1", runId: "run-1", text: "How many letters has turnfold?" },
];
let session = initialSession({ id: "demo", policy: defaultPolicy, system: "You count letters.", settings });
for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
  const [next, effects] = step(session, event);
  session = next;
  for (const effect of effects) {
    const to = { effect: effect.id, turn: effect.turn };
    if (effect.type === "callModel") {
      queue.push({ type: "modelReplied", reply: callModel(effect.round), attempts: { tries: 1, waitedMs: 0 }, ...to });
    } else if (effect.type === "runTool") {
      const parts = [{ kind: "text", text: runTool(effect.argumentsText) }];
      queue.push({ type: "toolFinished", outcome: { kind: "result", parts, isError: false }, ...to });
    } else if (effect.type === "publish")
      console.log(effect.update.kind, effect.update.text ?? effect.update.name ?? "");
    else if (effect.type === "answerPrompt") console.log("answered", effect.outcome.reason);
  }
}
