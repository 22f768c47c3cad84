// A model server in a process of its own, as light as one can be that reads what it is asked: it parses a request's body, looks how
// many tool results stand behind the last prompt, and answers with bytes that were made beforehand. Its plan is an argument.

import { createServer } from "node:http";

/**
 * Each turn has `toolRounds` replies that call the tool, then one that only says something.
 * @typedef {object} Plan
 * @property {number} toolRounds
 * @property {string} tool
 * @property {string} argumentsText of every call
 * @property {number} callTextBytes said beside a call
 * @property {number} answerTextBytes said in the end
 */
/** @typedef {{ readonly kind: "counts" } | { readonly kind: "keepBodies" } | { readonly kind: "bodies" }} Asked */
/** CPU in microseconds since the start. @typedef {{ readonly served: number, readonly cpu: number }} Counts */

/** @type {Plan} */
const plan = JSON.parse(process.argv[2] ?? "");
const LINE = 'It says "so" in the file, and then goes on.\n';
const text = (/** @type {number} */ bytes) => LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes);

/** @param {string | null} content @param {readonly object[]} calls */
const reply = (content, calls) =>
  Buffer.from(
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_780_000_000,
      model: "bench",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
          finish_reason: calls.length === 0 ? "stop" : "tool_calls",
        },
      ],
      usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 },
    }),
  );
const calling = reply(plan.callTextBytes === 0 ? null : text(plan.callTextBytes), [
  { id: "call_1", type: "function", function: { name: plan.tool, arguments: plan.argumentsText } },
]);
const answering = reply(text(plan.answerTextBytes), []);

/** @param {string} body */
const toolResultsOfTurn = (body) => {
  /** @type {{ messages: readonly { role: string }[] }} */
  const { messages } = JSON.parse(body);
  const prompt = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(prompt).filter(({ role }) => role === "tool").length;
};

let served = 0;
/** @type {string[] | undefined} */
let kept;

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    served += 1;
    const body = Buffer.concat(pieces).toString();
    kept?.push(body);
    const bytes = toolResultsOfTurn(body) < plan.toolRounds ? calling : answering;
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    response.end(bytes);
  });
});
// Between two measurements nobody asks; a connection that is closed then would be an error of the next.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(address.port);
});

process.on("message", (/** @type {Asked} */ asked) => {
  if (asked.kind === "keepBodies") kept = [];
  else if (asked.kind === "bodies") {
    process.send?.(kept ?? []);
    kept = undefined;
  } else {
    const { user, system } = process.cpuUsage();
    process.send?.({ served, cpu: user + system });
  }
});
process.on("disconnect", () => process.exit(0));
