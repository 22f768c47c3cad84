// What it takes to read a provider's reply of 16 MiB: from the bytes to the reply as the reducer gets it, against JSON.parse of a
// string that is already there; and the memory of the whole way, from the first byte on the connection to the event.

import { fork } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { against, ratioAtMost } from "../figure.mjs";
import { providerAt } from "../support/agent.mjs";
import { openModels } from "../support/inProcess.mjs";
import { inputReply, textReply } from "../support/replies.mjs";
import { sources } from "../support/sources.mjs";

const peakFile = fileURLToPath(new URL("../support/decodePeak.mjs", import.meta.url));

/** @typedef {"chat" | "anthropic"} Dialect */
/** @typedef {{ readonly what: string, readonly dialect: Dialect, readonly text: string, readonly most: number }} Reply */

/** @param {Dialect} dialect @param {string} baseUrl */
const environmentOf = (dialect, baseUrl) =>
  dialect === "chat"
    ? providerAt(baseUrl)
    : {
        ...providerAt(baseUrl),
        BUZZ_AGENT_PROVIDER: "anthropic",
        ANTHROPIC_API_KEY: "bench-key",
        ANTHROPIC_MODEL: "bench",
        ANTHROPIC_BASE_URL: baseUrl,
      };

const MIB = 1024 * 1024;
/** Under the limit of one reply (`replyBytesMax`), with room for what is around. */
const REPLY_BYTES = 16 * MIB - 4096;

/** @param {number} bytes @returns {readonly Reply[]} */
const repliesOf = (bytes) => [
  { what: "one text", dialect: "chat", text: textReply(bytes), most: 2 },
  { what: "input of a call, full of small objects", dialect: "anthropic", text: inputReply(bytes, false), most: 2 },
  {
    what: "input of a call, such objects with integers beyond 2^53",
    dialect: "anthropic",
    text: inputReply(bytes, true),
    most: 2.5,
  },
];

/** Milliseconds, with nobody else's garbage. @param {() => unknown} work */
const timed = (work) => {
  globalThis.gc?.();
  const started = performance.now();
  work();
  return performance.now() - started;
};

/** @param {number} count @param {() => unknown} value @param {() => unknown} floor */
const pairsOf = (count, value, floor) => {
  // The first belong to the compiler.
  for (const warm of [value, floor, value, floor]) warm();
  return Array.from({ length: count }, () => ({ floor: timed(floor), value: timed(value) }));
};

/** @typedef {Awaited<ReturnType<typeof openModels>>["config"]["provider"]} Provider */

/** @typedef {{ readonly providers: typeof import("../../src/providers/index.js"), readonly bodies: typeof import("../../src/shell/model/gather.js") }} Parts */

/** @param {Parts} parts @param {Reply} reply @param {number} count */
async function decoding({ providers: { dialectFor }, bodies: { gather } }, { dialect, text, what, most }, count) {
  const { config, secrets } = await openModels(environmentOf(dialect, "http://127.0.0.1:9"));
  const { decode } = dialectFor(config.provider, "bench", false);
  const bytes = Buffer.from(text);
  const reply = () => {
    const body = gather(bytes.length);
    body.add(bytes);
    const decoded = decode({ status: 200, headers: {}, body: body.text() }, "bench", 0);
    if (decoded.kind !== "reply") throw new Error(JSON.stringify(decoded.failure));
    return decoded.reply;
  };
  const floor = "`JSON.parse` of it as a string";
  const parse = () => JSON.parse(text);
  return [
    against({
      what: `decoding a reply of 16 MiB: ${what}`,
      unit: "ms",
      floor,
      pairs: pairsOf(count, reply, parse),
      aim: ratioAtMost(most),
    }),
    against({
      what: `the same, with secrets looked for in it: ${what}`,
      unit: "ms",
      floor,
      pairs: pairsOf(count, () => secrets.redactEvent({ reply: reply() }), parse),
      aim: null,
    }),
  ];
}

/** @param {Dialect} dialect */
const small = (dialect) =>
  JSON.stringify(
    dialect === "chat"
      ? { choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Yes." } }] }
      : { type: "message", stop_reason: "end_turn", content: [{ type: "text", text: "Yes." }] },
  );

/** Resident bytes that the whole way took, in a process of its own each time. @param {Reply} reply @param {number} count */
async function peaks({ dialect, text, what }, count) {
  const bodies = [Buffer.from(small(dialect)), Buffer.from(text)];
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    const body = bodies[asked % 2];
    asked += 1;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address !== "object") throw new Error("no port");
  const pairs = [];
  for (let done = 0; done < count; done += 1) {
    const environment = environmentOf(dialect, `http://127.0.0.1:${address.port}`);
    const child = fork(peakFile, { execArgv: ["--expose-gc"], env: environment });
    const { peak } = /** @type {{ peak: number }} */ (await new Promise((resolve) => child.once("message", resolve)));
    pairs.push({ value: peak, floor: text.length });
  }
  server.close();
  return against({
    what: `peak memory from its first byte to its event: ${what}`,
    unit: "bytes",
    floor: "the reply",
    pairs,
    aim: ratioAtMost(6),
  });
}

/** `parseJson` alone where it is at its worst. @param {typeof import("../../src/core/json.js")} json @param {number} count */
function integers({ parseJson }, count) {
  const plain = `[${Array.from({ length: 2 * 1024 * 1024 }, (_, index) => 1_000_000 + index).join(",")}]`;
  const mixed = `[18446744073709551615,${plain.slice(1)}`;
  return [plain, mixed].map((text, index) =>
    against({
      what: `\`parseJson\` of 16 MiB of integers${index === 0 ? "" : ", one of them beyond 2^53"}`,
      unit: "ms",
      floor: "`JSON.parse`",
      pairs: pairsOf(
        count,
        () => parseJson(text),
        () => JSON.parse(text),
      ),
      aim: null,
    }),
  );
}

/** @type {import("../registry.mjs").Measure} */
export async function measure({ quick }) {
  const { json, ...parts } = await sources({
    providers: "src/providers/index.ts",
    bodies: "src/shell/model/gather.ts",
    json: "src/core/json.ts",
  });
  const replies = repliesOf(quick ? MIB : REPLY_BYTES);
  const figures = [];
  for (const reply of replies) figures.push(...(await decoding(parts, reply, quick ? 2 : 15)));
  for (const reply of replies) figures.push(await peaks(reply, quick ? 1 : 5));
  return [...figures, ...integers(json, quick ? 1 : 9)];
}
