/**
 * What history keeps of a reply does not keep the reply. A slice of a string is a view that holds all of it: a session of short
 * calls beside long texts held every text that a model had ever said, and counted none of them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { dialect, NOW_MS } from "./fixtures.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const heapBytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

const MIB = 1024 * 1024;
const REPLIES = 20;

const block = { type: "tool_use", id: "toolu_1", name: "files__read", input: { path: "a/path/that/is/long/enough" } };
const thinking = { type: "thinking", thinking: "a thought that is not long", signature: "c2lnbmF0dXJl" };
const anthropic = (said: string): string =>
  JSON.stringify({
    content: [thinking, { type: "text", text: said }, block],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, output_tokens: 1 },
  });

const call = {
  id: "call_1",
  type: "function",
  function: { name: "files__read", arguments: { path: "a/path/as/an/object" } },
};
const chat = (said: string): string =>
  JSON.stringify({
    choices: [
      {
        message: {
          content: said,
          reasoning_details: [{ type: "reasoning.text", text: "a thought that is not long" }],
          tool_calls: [{ ...call, thought_signature: "c2lnbmF0dXJlIG9mIGEgY2FsbA" }],
        },
        finish_reason: "tool_calls",
      },
    ],
  });

it.each([
  ["anthropic", anthropic],
  ["openrouter", chat],
] as const)("of a long reply of %s, calls and what is replayed are kept alone", (provider, replyOf) => {
  const { decode } = dialect(provider, "model-1");
  const keep = (number: number): unknown => {
    const body = replyOf(`${number} `.repeat(MIB / 2));
    const decoded = decode({ status: 200, headers: {}, body }, "model-1", NOW_MS);
    if (decoded.kind !== "reply") throw new Error(JSON.stringify(decoded));
    expect(decoded.reply.calls).toHaveLength(1);
    return [decoded.reply.calls, decoded.reply.replay];
  };
  const before = heapBytes();
  const kept = Array.from({ length: REPLIES }, (_, number) => keep(number));
  const growth = heapBytes() - before;
  expect(kept).toHaveLength(REPLIES);
  // All of them were 20 MiB; a tenth of that is what the test itself may leave.
  expect(growth).toBeLessThan(2 * MIB);
});
