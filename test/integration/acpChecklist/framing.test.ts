/** `spec/acp.md` section 4, framing and JSON-RPC. Names begin with the numbers of the items. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Frame, RawClient } from "../../support/rawClient.js";
import { type ScriptedModel, startScriptedModel } from "../../support/scriptedModel.js";
import { initialized, newSession } from "../../support/sessions.js";

let model: ScriptedModel;
let client: RawClient;

beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => model.close());
beforeEach(async () => {
  client = await initialized(model);
});
afterEach(() => client.process.kill("SIGKILL"));

const errorOf = async (text: string): Promise<readonly unknown[]> => {
  const before = client.frames.length;
  client.write(`${text}\n`);
  const frame: Frame = await client.until(
    "error",
    (each) => each.error !== undefined && client.frames.indexOf(each) >= before,
  );
  return [frame.id, frame.error.code];
};
const stillWorks = async (): Promise<void> => {
  expect((await client.request("nothing/such", {})).error.code).toBe(-32601);
};

describe("framing", () => {
  test("9, 10: ids are echoed with their type and every digit", async () => {
    for (const id of [
      "7",
      "0",
      "-3",
      "9007199254740991",
      "9007199254740993",
      "123456789012345678901234567890",
      '"x"',
      '""',
      "null",
    ]) {
      client.write(`{"jsonrpc":"2.0","id":${id},"method":"nothing/such"}\n`);
      await client.until(`id ${id}`, () =>
        client.lines.some((line) => line.startsWith(`{"jsonrpc":"2.0","id":${id},"error"`)),
      );
    }
    expect(client.lines).toHaveLength(10);
    await client.end();
  });

  test("12, 14: notifications are never answered, extension requests always", async () => {
    for (const method of [
      "nothing/such",
      "_x/y",
      "$/x",
      "session/cancel",
      "$/cancel_request",
      "session/prompt",
      "initialize",
    ]) {
      client.write(`{"jsonrpc":"2.0","method":"${method}"}\n{"jsonrpc":"2.0","method":"${method}","params":[1]}\n`);
    }
    expect((await client.request("_x/y", {})).error.code).toBe(-32601);
    expect(client.lines).toHaveLength(2);
    await client.end();
  });

  test("11, 13: an unknown method is answered -32601 with one line that names it", async () => {
    const { error } = await client.request("session/frobnicate", {});
    expect(error).toMatchObject({ code: -32601, data: { kind: "methodNotFound" } });
    expect(error.message).toContain("session/frobnicate");
    await client.end();
  });

  test("15: broken JSON is answered -32700 with id null, and the next request works", async () => {
    expect(await errorOf('{"jsonrpc":"2.0","id":1,')).toEqual([null, -32700]);
    await stillWorks();
    await client.end();
  });

  test.each(['{"foo":1}', "3", '"x"', "null", "[]", '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]'])(
    "16, 17: %s is answered -32600, and the next request works",
    async (text) => {
      expect(await errorOf(text)).toEqual([null, -32600]);
      await stillWorks();
      await client.end();
    },
  );

  test("18: byte-order mark, CRLF, blank lines and spaces around JSON are accepted", async () => {
    client.write('\r\n  \n \t{"jsonrpc":"2.0","id":"spaced","method":"nothing/such"} \r\n\n');
    const answer = await client.until("answer", (frame) => frame.id === "spaced");
    expect(answer.error.code).toBe(-32601);
    await client.end();
  });

  test("19: a request byte by byte and a hundred in one write are answered in order", async () => {
    for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"slow","method":"nothing/such"}\n'))
      client.write(Uint8Array.of(byte));
    await client.until("the slow one", (frame) => frame.id === "slow");
    const ids = Array.from({ length: 100 }, (_, id) => id);
    client.write(ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"nothing/such"}\n`).join(""));
    await client.until("the last one", (frame) => frame.id === 99);
    expect(client.frames.map((frame) => frame.id).filter((id) => typeof id === "number")).toEqual(ids);
    await client.end();
  });

  test("20: text cut inside a four-byte character reaches the model whole", async () => {
    const sessionId = await newSession(client);
    const params = { sessionId, prompt: [{ type: "text", text: "🦔 and 🦊" }] };
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: "cut", method: "session/prompt", params })}\n`);
    const place = bytes.indexOf(Buffer.from("🦊")) + 2;
    client.write(bytes.subarray(0, place));
    await stillWorksAfter(bytes.subarray(place));
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("🦔 and 🦊");
    await client.end();
  });

  test("21: a line over the limit and invalid UTF-8 are answered with id null; then it ends with code 1", async () => {
    for (const bytes of [Buffer.alloc(5 * 1024 * 1024, "x"), Buffer.from([0x7b, 0xff, 0xfe, 0x0a])]) {
      const other = await initialized(model);
      other.write(bytes);
      const frame = await other.until("error", (each) => each.error !== undefined);
      expect([frame.id, frame.error.code]).toEqual([null, -32600]);
      expect((await other.exited).code).toBe(1);
    }
    client.write(`{"jsonrpc":"2.0","id":"big","method":"nothing/such","params":"${"x".repeat(3 * 1024 * 1024)}"}\n`);
    await client.until("answer to the big one", (frame) => frame.id === "big");
    await client.end();
  });

  test("24: a response to a request that was never made is ignored", async () => {
    client.write(
      '{"jsonrpc":"2.0","id":77,"result":{}}\n{"jsonrpc":"2.0","id":"turnfold-1","error":{"code":1,"message":"x"}}\n',
    );
    await stillWorks();
    expect(client.lines).toHaveLength(2);
    await client.end();
  });

  test("a last line without its line feed is still a frame; half a one is not answered", async () => {
    client.write('{"jsonrpc":"2.0","id":"last","method":"nothing/such"}');
    expect(await client.end()).toMatchObject({ code: 0 });
    expect(client.frames.at(-1)).toMatchObject({ id: "last", error: { code: -32601 } });
    const other = await initialized(model);
    other.write('{"jsonrpc":"2.0","id":"half"');
    expect(await other.end()).toMatchObject({ code: 0 });
    expect(other.lines).toHaveLength(1);
  });
});

const stillWorksAfter = async (rest: Uint8Array): Promise<void> => {
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  client.write(rest);
  await client.until("answer", (frame) => frame.id === "cut");
};
