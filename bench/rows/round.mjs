// What lies between a provider's last byte and the last byte of the next request, when the tool between them answers at once: the
// reply is read and decoded, the reducer takes three steps, the request is encoded and written. Measured by the model server, with
// its clock (support/roundServer.mjs), beside a client that has the whole conversation as an object, calls JSON.stringify and
// writes once, and one that has the bytes ready and only writes.

import { fork } from "node:child_process";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { against, ratioAtMost } from "../figure.mjs";
import { median, slope } from "../spread.mjs";
import { openSession } from "../support/inProcess.mjs";

/** @typedef {import("../support/roundServer.mjs").Plan} Plan */
/** @typedef {import("../support/roundServer.mjs").Round} Round */
/** @typedef {import("../support/roundServer.mjs").Told} Told */

const serverFile = fileURLToPath(new URL("../support/roundServer.mjs", import.meta.url));
const KB = 1000;
const RESULT_BYTES = 4000;
const CALLS = 16;

/** @param {number} historyBytes @param {number} rounds @returns {Plan} */
const planFor = (historyBytes, rounds) => {
  const results = Math.ceil(historyBytes / RESULT_BYTES);
  const calls = Math.min(CALLS, results);
  return { growing: { rounds: Math.ceil(results / calls), calls, resultBytes: RESULT_BYTES }, rounds };
};

/** Who answers the server's triggers with the same body, once as an object and once as bytes. @param {number} port @param {string} body */
function startFloor(port, body) {
  const conversation = JSON.parse(body);
  const ready = Buffer.from(JSON.stringify(conversation));
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  socket.write(`floor ${ready.length}`);
  socket.on("data", (trigger) => {
    if (trigger[0] === "s".charCodeAt(0)) socket.write(JSON.stringify(conversation));
    else socket.write(ready);
  });
  return { bytes: ready.length, conversation, ready, end: () => socket.destroy() };
}

/** What memory and the encoder alone take for the same body, in nanoseconds. @param {Buffer} bytes @param {unknown} conversation @param {number} times */
function alonePrices(bytes, conversation, times) {
  const target = Buffer.alloc(bytes.length);
  const timed = (/** @type {() => unknown} */ work) => {
    const started = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - started);
  };
  const rounds = Array.from({ length: times }, () => ({
    copy: timed(() => bytes.copy(target)),
    stringify: timed(() => JSON.stringify(conversation)),
  }));
  return { copy: rounds.map((round) => round.copy), stringify: rounds.map((round) => round.stringify) };
}

/** @param {number} historyBytes @param {number} count how many rounds */
export async function roundsWith(historyBytes, count) {
  const server = fork(serverFile, [JSON.stringify(planFor(historyBytes, count))], { execArgv: [] });
  /** @returns {Promise<Told>} */
  const told = () =>
    new Promise((resolve) => server.once("message", (message) => resolve(/** @type {Told} */ (message))));
  const first = await told();
  if (!("port" in first)) throw new Error("the server has no port");
  const session = await openSession(first.port);
  const grown = told();
  const turn = session.prompt("Read it all, please.");
  const second = await Promise.race([grown, turn]);
  if (second === undefined || !("body" in second)) throw new Error("the history did not grow");
  const floor = startFloor(first.port, second.body);
  const last = told();
  const third = await Promise.race([last, turn.then(() => last)]);
  await turn;
  if (!("rounds" in third)) throw new Error("nothing was measured");
  floor.end();
  await session.close();
  server.disconnect();
  // The first rounds with a body of this size belong to the compiler.
  const rounds = third.rounds.slice(Math.ceil(count / 5));
  return { bytes: floor.bytes, rounds, ...alonePrices(floor.ready, floor.conversation, rounds.length) };
}

const MICROSECOND = 1000;

/** @typedef {Awaited<ReturnType<typeof roundsWith>>} Size */

/** @param {{ readonly historyBytes: number, readonly rounds: number, readonly sessions: number }} plan @returns {Promise<Size>} */
async function measureSize({ historyBytes, rounds, sessions }) {
  /** @type {Size[]} */
  const seen = [];
  for (let session = 0; session < sessions; session += 1) seen.push(await roundsWith(historyBytes, rounds));
  return {
    bytes: median(seen.map(({ bytes }) => bytes)),
    rounds: seen.flatMap((each) => each.rounds),
    copy: seen.flatMap(({ copy }) => copy),
    stringify: seen.flatMap(({ stringify }) => stringify),
  };
}

/** Rounds make the history grow, so a small one takes few of them, in several sessions. @param {boolean} quick */
const plansOf = (quick) =>
  quick
    ? [10, 100, 1000].map((kilobytes) => ({ historyBytes: kilobytes * KB, rounds: 5, sessions: 1 }))
    : [
        { historyBytes: 10 * KB, rounds: 30, sessions: 8 },
        { historyBytes: 100 * KB, rounds: 60, sessions: 4 },
        { historyBytes: 1000 * KB, rounds: 120, sessions: 2 },
        { historyBytes: 10_000 * KB, rounds: 60, sessions: 1 },
      ];

/** What each grows by with a byte of the history, in nanoseconds, taken from each round of all sizes. @param {readonly Size[]} sizes */
function growth(sizes) {
  const rounds = Math.min(...sizes.map((size) => size.rounds.length));
  const slopes = (/** @type {(of: Size, index: number) => number | undefined} */ nanoseconds) =>
    Array.from({ length: rounds }, (_, index) =>
      slope(
        sizes.map(({ bytes }) => bytes),
        sizes.map((size) => nanoseconds(size, index) ?? Number.NaN),
      ),
    );
  return {
    agent: slopes((size, index) => size.rounds[index]?.agent),
    socket: median(slopes((size, index) => size.rounds[index]?.ready)),
    stringified: slopes((size, index) => size.rounds[index]?.stringified),
    copy: median(slopes((size, index) => size.copy[index])),
    encoder: median(slopes((size, index) => size.stringify[index])),
  };
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  /** @type {Size[]} */
  const sizes = [];
  for (const plan of plansOf(quick)) sizes.push(await measureSize(plan));
  const [small, , megabyte] = sizes;
  if (small === undefined || megabyte === undefined) throw new Error("a size is missing");
  const { agent, socket, stringified, copy, encoder } = growth(sizes);
  const pairs = (/** @type {Size} */ { rounds }) =>
    rounds.map((round) => ({ value: round.agent / MICROSECOND, floor: round.stringified / MICROSECOND }));
  const floor = "`JSON.stringify` of the same body and one write";
  return [
    against({
      what: "provider's last byte to the next request's last byte, history 1 MB, tool in process",
      unit: "us",
      floor,
      pairs: pairs(megabyte),
      aim: ratioAtMost(1),
    }),
    against({ what: "the same, history 10 KB", unit: "us", floor, pairs: pairs(small), aim: null }),
    against({
      what: "growth of that with the history, 10 KB to 10 MB, without what the socket takes for ready bytes",
      unit: "ns/byte",
      floor: "a memory copy of the body",
      pairs: agent.map((value) => ({ value: value - socket, floor: copy })),
      // The aim is the slope of a copy, not of an encoder, and the note says what that would be.
      aim: ratioAtMost(2),
      note: `JSON.stringify alone grows by ${encoder.toFixed(2)} ns/byte, the socket by ${socket.toFixed(2)}.`,
    }),
    against({
      what: "growth of all of it",
      unit: "ns/byte",
      floor,
      pairs: agent.map((value, index) => ({ value, floor: stringified[index] ?? Number.NaN })),
      aim: null,
    }),
  ];
}
