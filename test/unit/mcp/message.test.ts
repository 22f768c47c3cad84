// What a server says is cleaned of its secrets, and nothing else of it is touched: not the names by which it is spoken to.

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLine } from "../../../src/shell/mcp/message.js";
import { readStderr } from "../../../src/shell/mcp/stderr.js";
import { hideValues } from "../../../src/shell/secrets.js";

const SECRET = "sk-live-0123456789";
const { redact } = hideValues([SECRET, "postgres-1"]);
const read = (message: object): unknown => {
  const line = readLine(JSON.stringify({ jsonrpc: "2.0", ...message }), redact);
  return line.kind === "message" ? line.message : line.kind;
};

test("a result is cleaned at any depth, in lists and in objects", () => {
  const said = (secret: string): object => ({
    content: [{ type: "text", text: `token ${secret}!` }],
    structuredContent: { env: [[secret], { token: secret }], count: 3 },
  });
  expect(read({ id: 1, result: said(SECRET) })).toMatchObject({ id: 1, result: said("[redacted]") });
});

test("errors and notifications are cleaned", () => {
  expect(read({ id: 1, error: { code: 1, message: SECRET } })).toMatchObject({ error: { message: "[redacted]" } });
  expect(read({ method: "notifications/message", params: { data: [SECRET] } })).toMatchObject({
    params: { data: ["[redacted]"] },
  });
});

// Whatever had a list named `tools` was taken for a list of tools: an inventory that a call brought kept its secrets. F55.
test("a result of a call is cleaned also if it has a member that is named as in a list of tools", () => {
  const said = (secret: string): object => ({
    content: [{ type: "text", text: `token ${secret}!` }],
    structuredContent: { tools: [secret] },
  });
  expect(read({ id: 1, result: { ...said(SECRET), tools: [] } })).toMatchObject({ result: said("[redacted]") });
});

// A password that occurs in the name of a tool made the tool uncallable: it was offered and called by a name that nobody has.
test("ids, methods, cursors and the names of tools and their arguments stay what they are", () => {
  const tool = {
    name: "postgres-1_query",
    description: `as ${SECRET}`,
    inputSchema: { type: "object", properties: { "postgres-1": {} }, required: ["postgres-1"] },
  };
  expect(read({ id: "postgres-1", result: { tools: [tool], nextCursor: "postgres-1" } })).toMatchObject({
    id: "postgres-1",
    result: { tools: [{ ...tool, description: "as [redacted]" }], nextCursor: "postgres-1" },
  });
});

test("a secret in a line of stderr without an end is met also where the line is cut", async () => {
  for (const before of [4090, 5110, 5119]) {
    const stream = new PassThrough();
    const lines: string[] = [];
    readStderr(stream, redact, (line) => lines.push(line));
    stream.write("x".repeat(before) + SECRET.slice(0, 9));
    stream.write(SECRET.slice(9) + "y".repeat(6000));
    stream.end();
    await new Promise((resolve) => stream.once("close", resolve));
    expect(lines.join(" ")).toMatch(/^x+/);
    expect(lines.join(" ")).not.toMatch(/sk-live|56789/);
  }
});
