// The model server of the row `round`, in a process of its own: it takes the time from the last byte of a reply that it wrote to
// the last byte of the request that follows, and does so with one clock for the agent and for the two floors. A round of the
// agent, one of either floor, the next of the agent: the server alone decides whose turn it is.
//
// The plan comes as an argument. First replies that make the history grow, then one call each. When the history has grown its
// body is sent to the parent, which then connects as `floor N`: N bytes is what either floor will write.

import { createServer } from "node:net";

/** @typedef {{ readonly growing: { readonly rounds: number, readonly calls: number, readonly resultBytes: number }, readonly rounds: number }} Plan */
/** Nanoseconds. @typedef {{ readonly agent: number, readonly stringified: number, readonly ready: number }} Round */
/** @typedef {{ readonly port: number } | { readonly body: string } | { readonly rounds: readonly Round[] }} Told */

/** @type {Plan} */
const plan = JSON.parse(process.argv[2] ?? "");
const tell = (/** @type {Told} */ told) => process.send?.(told);
const now = () => Number(process.hrtime.bigint());

/** @param {number} calls @param {number} bytes */
const reply = (calls, bytes) => {
  const toolCalls = Array.from({ length: calls }, (_, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name: "files__read", arguments: JSON.stringify({ bytes }) },
  }));
  const message =
    calls === 0 ? { role: "assistant", content: "Done." } : { role: "assistant", content: null, tool_calls: toolCalls };
  const body = JSON.stringify({
    id: "c",
    object: "chat.completion",
    model: "bench",
    choices: [{ index: 0, message, finish_reason: calls === 0 ? "stop" : "tool_calls" }],
    usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 },
  });
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
};
const growing = reply(plan.growing.calls, plan.growing.resultBytes);
const call = reply(1, 20);
const end = reply(0, 0);

/** The connection of its last request; a client may have several. @type {import("node:net").Socket | undefined} */
let agent;
/** @type {import("node:net").Socket | undefined} */
let floor;
let requests = 0;
/** @type {Round[]} */
const rounds = [];
/** Of the round that is being measured. */
let taken = { agent: 0, stringified: 0, ready: 0 };
let writtenAt = 0;

/** @param {import("node:net").Socket | undefined} socket @param {string} text */
const write = (socket, text) => {
  socket?.write(text);
  writtenAt = now();
};

/** The trigger of a floor is as long as the reply that the agent has to read. @param {string} kind */
const trigger = (kind) => write(floor, kind.padEnd(call.length, "."));

/** @param {number} at @param {readonly Buffer[]} pieces */
function requested(at, pieces) {
  const elapsed = at - writtenAt;
  requests += 1;
  const measured = requests - plan.growing.rounds - 1;
  if (measured < 0) return write(agent, growing);
  if (measured === 0) {
    const text = Buffer.concat(pieces).toString();
    return void tell({ body: text.slice(text.indexOf("\r\n\r\n") + 4) });
  }
  taken = { agent: elapsed, stringified: 0, ready: 0 };
  return trigger("stringify");
}

/** @param {number} at */
function floorRead(at) {
  const elapsed = at - writtenAt;
  if (taken.stringified === 0) {
    taken = { ...taken, stringified: elapsed };
    return trigger("ready");
  }
  rounds.push({ ...taken, ready: elapsed });
  if (rounds.length < plan.rounds) return write(agent, call);
  tell({ rounds });
  return write(agent, end);
}

/** @param {import("node:net").Socket} socket @param {Buffer} first */
function readAgent(socket, first) {
  /** @type {Buffer[]} */
  let pieces = [];
  /** Bytes that are still to come; unknown while the head is not whole. @type {number | undefined} */
  let missing;
  const read = (/** @type {Buffer} */ chunk) => {
    pieces.push(chunk);
    if (missing === undefined) {
      const start = Buffer.concat(pieces);
      const headEnd = start.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const length = /content-length: (\d+)/i.exec(start.toString("latin1", 0, headEnd))?.[1];
      missing = headEnd + 4 + Number(length) - start.length;
    } else missing -= chunk.length;
    if (missing > 0) return;
    const at = now();
    const whole = pieces;
    pieces = [];
    missing = undefined;
    agent = socket;
    requested(at, whole);
  };
  socket.on("data", read);
  read(first);
}

/** Its bodies have no head: how many bytes they have is what it says first. @param {import("node:net").Socket} socket @param {number} bytes */
function readFloor(socket, bytes) {
  floor = socket;
  let read = 0;
  socket.on("data", (chunk) => {
    read += chunk.length;
    if (read < bytes) return;
    read = 0;
    floorRead(now());
  });
  // Everybody is there.
  write(agent, call);
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.once("data", (first) => {
    const bytes = /^floor (\d+)$/.exec(first.toString("latin1", 0, 32))?.[1];
    if (bytes === undefined) readAgent(socket, first);
    else readFloor(socket, Number(bytes));
  });
  socket.on("error", () => undefined);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") tell({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
