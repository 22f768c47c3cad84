// An agent that does nothing but use tokens: each prompt adds 10 to the input and 3 to the output of its session, told twice.
import { createInterface } from "node:readline";

const counters = new Map();
let sessions = 0;
/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/**
 * @param {string} sessionId
 * @param {number} input
 * @param {number} output
 */
const tell = (sessionId, input, output) =>
  send({
    method: "_goose/unstable/session/update",
    params: {
      sessionId,
      update: {
        sessionUpdate: "usage_update",
        used: 0,
        contextLimit: 0,
        accumulatedInputTokens: input,
        accumulatedOutputTokens: output,
        model: "counting",
      },
    },
  });

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "session/new") {
    sessions += 1;
    // Every process hands out the same ids, as a careless agent may.
    counters.set(`s${sessions}`, 0);
    send({ id, result: { sessionId: `s${sessions}` } });
  } else if (method === "session/prompt") {
    const turns = counters.get(params.sessionId) + 1;
    counters.set(params.sessionId, turns);
    tell(params.sessionId, turns * 10 - 5, turns * 3 - 1);
    send({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate: "x" } } });
    tell(params.sessionId, turns * 10, turns * 3);
    send({ id, result: { stopReason: "end_turn" } });
  }
});
