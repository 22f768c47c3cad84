// @ts-nocheck: frames of every wrong shape pass through here, and types would only be cast away.
// A scripted MCP server that does everything wrong on request: plain Node, no SDK, so that nothing keeps it from it.
//
// A call of a tool plays the fault of that name (see `tools` below); faults at the start and in the listing come from the
// environment of its entry: FAULT_START, FAULT_LIST, FAULT_STDIN_END, FAULT_TERM. With FAULT_SINCE, a folder, the first two begin
// with the second start. Every call is noted on stderr as "received <tool>" before anything else happens, so that a test can
// wait for it.
import { spawn } from "node:child_process";
import { closeSync, readdirSync, writeFileSync, writeSync } from "node:fs";

/** Without FAULT_SINCE, or if it is not the first start. Each start leaves a file. */
const isFaulty = () => {
  const folder = process.env.FAULT_SINCE;
  if (folder === undefined) return true;
  const starts = readdirSync(folder).length;
  writeFileSync(`${folder}/${starts}`, "");
  return starts > 0;
};
const { FAULT_START: start = "", FAULT_LIST: list = "" } = isFaulty() ? process.env : {};

const raw = (text) => process.stdout.write(text);
const send = (message) => raw(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answer = (id, result) => send({ id, result });
const fail = (id, code, message) => send({ id, error: { code, message } });
const text = (value) => ({ content: [{ type: "text", text: value }] });
const note = (line) => process.stderr.write(`${line}\n`);

let calls = 0;
let changed = false;
const cancelled = [];
const waiting = new Map();
let nextId = 1000;

/** Asks the client something and resolves with its whole answer. */
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const tools = {
  echo: (id, args) => answer(id, text(String(args.text ?? "ok"))),
  pid: (id) => answer(id, text(String(process.pid))),
  count: (id) => answer(id, text(String(calls))),
  env: (id) => answer(id, text(JSON.stringify(process.env))),
  confess: (id) => {
    raw(`the password is ${process.env.OWN_PASSWORD}\n`);
    note(`the password is ${process.env.OWN_PASSWORD}`);
    answer(id, { ...text(`the password is ${process.env.OWN_PASSWORD}`), structuredContent: { ...process.env } });
  },
  cwd: (id) => answer(id, text(process.cwd())),
  cancelled: (id) => answer(id, text(JSON.stringify(cancelled))),
  slow: (id, args) => setTimeout(() => answer(id, text("slow")), args.ms),
  big: (id, args) => answer(id, text("x".repeat(args.bytes))),
  hang: () => {},
  late: () => {},
  crash: () => process.exit(3),
  kill: () => process.kill(process.pid, "SIGKILL"),
  crashWithWords: () => {
    writeSync(2, "the disk is on fire\n");
    process.exit(4);
  },
  crashAfterAnswer: (id) => {
    writeSync(1, `${JSON.stringify({ jsonrpc: "2.0", id, result: text("last words") })}\n`);
    process.exit(5);
  },
  crashSoon: (id, args) => {
    answer(id, text("soon"));
    setTimeout(() => process.exit(6), args.ms);
  },
  halfLine: (id) => {
    writeSync(1, `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te`);
    process.exit(7);
  },
  endlessLine: () => {
    const more = () => (raw("y".repeat(64 * 1024)) ? setImmediate(more) : process.stdout.once("drain", more));
    more();
  },
  noise: (id) => {
    raw('[02/11/26] INFO Starting...\n\n{"half": \n42\n[1,2]\n{"jsonrpc":"1.0"}\nnull\n');
    raw(`${"z".repeat(1024 * 1024)}\n`);
    answer(id, text("after the noise"));
  },
  wrongId: (id) => {
    send({ id: id + 100000, result: text("nobody asked") });
    send({ id: null, result: text("nobody at all") });
    send({ id: { a: 1 }, result: text("not even an id") });
    raw('{"jsonrpc":"2.0","id":18446744073709551615,"result":{"n":18446744073709551615}}\n');
    answer(id, text("right"));
  },
  stringId: (id) => answer(String(id), text("as a string")),
  duplicate: (id) => {
    answer(id, text("first"));
    answer(id, text("second"));
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"big":18446744073709551615}}\n`);
  },
  crlf: (id) => raw(`\r\n${JSON.stringify({ jsonrpc: "2.0", id, result: text("crlf") })}\r\n`),
  bytewise: (id) => {
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result: text("naïve 💡") })}\n`);
    for (const byte of bytes) {
      writeSync(1, Buffer.from([byte]));
      // A millisecond each, in which nothing else is written; or the pipe would hand them over together.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  },
  rejects: (id) => fail(id, -32602, "no such flavour"),
  connectionClosedError: (id) => fail(id, -32000, "Connection closed, says the server"),
  strangeError: (id) => send({ id, error: { code: "x" } }),
  isError: (id) => answer(id, { ...text("it did not work"), isError: true }),
  stringResult: (id) => answer(id, "done"),
  noResult: (id) => send({ id }),
  emptyResult: (id) => answer(id, {}),
  strangeMeta: (id) => answer(id, { _meta: 7, ...text("meta") }),
  content: (id) =>
    answer(id, {
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
        { type: "image", data: PNG, mimeType: "image/png" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "resource_link", uri: "file:///x", name: "x" },
        { type: "resource", resource: { uri: "file:///y", text: "inside y" } },
        { type: "resource", resource: { uri: "file:///z", mimeType: "a/b", blob: "AAAA" } },
        { type: "hologram", data: 1 },
        { type: "text" },
        "no block",
        null,
      ],
    }),
  structured: (id) =>
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"n":18446744073709551615}}}\n`),
  deep: (id) => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[${deep},{"type":"text","text":"above"}],"x":${deep}}}\n`);
  },
  deepStructure: (id) => {
    const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${deep}}}\n`);
  },
  both: (id) => answer(id, { ...text("for people"), structuredContent: { a: 1 } }),
  args: (id, _args, line) => answer(id, text(line)),
  closeStdout: () => closeSync(1),
  closeStdin: () => process.stdin.destroy(),
  grandchild: (id) => {
    const script = "process.on('SIGTERM',()=>{}); process.on('SIGHUP',()=>{}); setInterval(()=>{},1000)";
    const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    answer(id, text(String(child.pid)));
  },
  asks: async (id) => {
    const answers = [];
    for (const method of ["ping", "roots/list", "elicitation/create", "sampling/createMessage", "nonsense"]) {
      answers.push(await ask(method, { message: "m", requestedSchema: { type: "object", properties: {} } }));
    }
    answer(id, text(JSON.stringify(answers)));
  },
  change: (id) => {
    changed = true;
    send({ method: "notifications/tools/list_changed" });
    answer(id, text("changed"));
  },
  changes: (id) => {
    for (let n = 0; n < 500; n += 1) send({ method: "notifications/tools/list_changed" });
    answer(id, text(String(listings)));
  },
  sameAgain: (id) => {
    send({ method: "notifications/tools/list_changed" });
    answer(id, text("as it was"));
  },
  listings: (id) => answer(id, text(String(listings))),
  stderr: (id) => {
    for (let n = 0; n < 2000; n += 1) process.stderr.write(`complaint ${n} ${"w".repeat(100)}\n`);
    answer(id, text("loud"));
  },
  _Stop: (id) => hook(id, process.env.FAULT_STOP),
  _PostCompact: (id) => hook(id, process.env.FAULT_POSTCOMPACT),
};

const hooks = {
  hang: () => {},
  crash: () => process.exit(8),
  reject: (id) => fail(id, -32603, "hook broke"),
  isError: (id) => answer(id, { ...text("never shown"), isError: true }),
};

const hook = (id, how = "") => (Object.hasOwn(hooks, how) ? hooks[how](id) : answer(id, text(how)));

const plain = (name) => ({ name, description: `does ${name}`, inputSchema: { type: "object" } });
let listings = 0;

const listed = () => {
  const names = Object.keys(tools).filter((name) => !name.startsWith("_"));
  if (process.env.FAULT_STOP !== undefined) names.push("_Stop");
  if (process.env.FAULT_POSTCOMPACT !== undefined) names.push("_PostCompact");
  if (changed) return [...names.filter((name) => name !== "hang").map(plain), plain("fresh")];
  return names.map(plain);
};

const BAD_TOOLS = [null, 7, [], {}, { name: 3 }, { name: "" }, { name: "noSchema" }, { name: "echo", inputSchema: 5 }];
const ODD_TOOLS = [
  { name: "naïve tool/💡", inputSchema: { type: "object" } },
  { name: "ref", inputSchema: { $ref: "#/nowhere" }, outputSchema: { $ref: "#/nowhere" } },
  { name: "echo", description: "twice" },
  { name: "n".repeat(200), description: "d".repeat(20000), annotations: { readOnlyHint: true } },
  { name: "huge", inputSchema: { type: "object", properties: { a: { description: "h".repeat(40000) } } } },
];

const lists = {
  "": (id) => answer(id, { tools: listed() }),
  hang: () => {},
  reject: (id) => fail(id, -32601, "no tools here"),
  fail: (id) => fail(id, -32603, "listing broke"),
  crash: () => process.exit(9),
  endless: (id) => answer(id, { tools: [plain(`page${listings}`)], nextCursor: `c${listings}` }),
  pages: (id, cursor = "0") => {
    const next = cursor === "4" ? {} : { nextCursor: String(Number(cursor) + 1) };
    answer(id, { tools: [plain(`page${cursor}`)], ...next });
  },
  invalid: (id) => answer(id, { tools: [...BAD_TOOLS, ...ODD_TOOLS] }),
  hostile: (id) => {
    const deep = `${'{"type":"object","properties":{"a":'.repeat(20_000)}{}${"}}".repeat(20_000)}`;
    const names = [
      "../../etc/passwd",
      "__proto__",
      "constructor",
      "a\nb",
      "\u0000",
      "\ud800",
      "x".repeat(1e6),
      "/",
      "",
      "load_skill",
    ];
    const tools = names.map(
      (name) => `{"name":${JSON.stringify(name)},"description":"[Context Handoff]\\n","inputSchema":${deep}}`,
    );
    raw(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[${tools.join(",")},{"name":"echo"}]}}\n`);
  },
  noList: (id) => answer(id, { tools: "none" }),
  many: (id) => answer(id, { tools: Array.from({ length: 300 }, (_, n) => plain(`tool_${n}`)) }),
};

const ready = (id, { protocolVersion }) =>
  answer(id, {
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "fault", version: "1" },
  });

const starts = {
  hang: () => {},
  exit: () => process.exit(10),
  error: (id) => fail(id, -32603, "cannot initialise"),
  confess: () => {
    writeSync(2, `${"y".repeat(1000)} refused: ${process.env.OWN_PASSWORD}${"x".repeat(390)}\n`);
    process.exit(12);
  },
  malformed: (id) => answer(id, { nothing: true }),
  version: (id) => ready(id, { protocolVersion: "1999-01-01" }),
  slow: (id, params) => setTimeout(ready, Number(process.env.FAULT_START_MS), id, params),
};

const onMessage = (message, line) => {
  const { id, method, params } = message;
  if (method === undefined) {
    waiting.get(id)?.(message);
    waiting.delete(id);
  } else if (method === "initialize") (starts[start] ?? ready)(id, params);
  else if (method === "tools/list") {
    listings += 1;
    lists[list](id, params?.cursor);
  } else if (method === "notifications/cancelled") {
    cancelled.push(params);
    note(`cancelled ${params.requestId}`);
    // What a server does that has not heard of the cancel in time.
    answer(params.requestId, text("too late"));
  } else if (method === "tools/call") {
    calls += 1;
    note(`received ${params.name}`);
    const play = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined;
    if (play === undefined) fail(id, -32602, `unknown tool ${params.name}`);
    else play(id, params.arguments ?? {}, line);
  } else if (id !== undefined) fail(id, -32601, "method not found");
};

if (process.env.FAULT_TERM === "ignore")
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => {});
if (start === "exitAtOnce") {
  writeSync(2, "no configuration found\n");
  process.exit(11);
}
if (start === "bom") raw("\uFEFF");
if (start === "noise") raw("Welcome to the fault server!\nlistening...\n");
if (start === "grandchild") tools.grandchild(-1);

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + String(chunk)).split("\n");
  rest = lines.pop();
  for (const line of lines) if (line !== "") onMessage(JSON.parse(line), line);
});
process.stdin.on("error", () => {});
process.stdout.on("error", () => {});
if (process.env.FAULT_STDIN_END === "ignore") setInterval(() => {}, 1000);
else process.stdin.on("end", () => process.exit(0));
// Closed by the server itself, it must not end it.
process.stdin.on("close", () => setInterval(() => {}, 1000));
