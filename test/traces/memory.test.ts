/**
 * The memory agent between a harness and the buzz CLI, as it reads and writes: the worked example of
 * `spec/memory-agent-and-harness.md` 4. `npx vitest run test/traces/memory.test.ts -u` writes the transcripts anew.
 */
import { right } from "fp-ts/lib/Either.js";
import { isSome } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { defaultShellLimits } from "../../src/core/policy.js";
import { createServer } from "../../src/shell/acp/server.js";
import { createMemoryAgent } from "../../src/shell/memory/agent.js";
import type { Memory } from "../../src/shell/memory/source.js";
import { decodeFrame } from "../../src/shell/stdio/envelope.js";
import { contextBlock, eventBlock, id, textBlocks } from "../support/buzzPrompt.js";
import { until } from "../support/until.js";

const memories: readonly Memory[] = [
  { content: "Blue was chosen on Tuesday.", similarity: 0.905, ageHours: 30 },
  { content: "  Paint is in the garage.  ", similarity: 0.5, ageHours: 0.5 },
];

/** What random ids there are, numbered in the order in which they appear. */
const numbered = (transcript: string): string => {
  const names = new Map<string, string>();
  return transcript.replaceAll(/\b(ses|run)_[0-9a-f]{16}/g, (found, kind: string) => {
    const name = names.get(found) ?? `${kind}_${names.size + 1}`;
    names.set(found, name);
    return name;
  });
};

/** `>` what the harness sends, `<` what the agent sends, `buzz` what the CLI is given. */
const transcribe = async (blocks: readonly string[]): Promise<string> => {
  const transcript: string[] = [];
  const write = (head: string, text: string): void => {
    transcript.push(...text.split("\n").map((line) => `${head} ${line}`.trimEnd()));
  };
  const frames: string[] = [];
  const traits = { version: 2, notices: false, compaction: false, goose: true, terminalAuth: false } as const;
  const agent = createMemoryAgent({
    source: {
      recall: async (query, k) => {
        write("recall", `${k} for ${JSON.stringify(query)}`);
        return Promise.resolve(right(memories));
      },
    },
    sink: {
      available: async () => Promise.resolve(true),
      send: async ({ channel, replyTo }, body) => {
        write("buzz", `channel ${channel}`);
        write("buzz", `reply to ${isSome(replyTo) ? replyTo.value : "nothing"}`);
        write("buzz |", body);
        return Promise.resolve(right(undefined));
      },
    },
    topK: 5,
    postBytesMax: defaultShellLimits.buzzPostBytesMax,
    log: () => undefined,
  });
  const send = (frame: string): void => {
    frames.push(frame);
    write("<", frame);
  };
  const server = createServer({
    identity: { name: "turnfold-memory", title: "Turnfold Memory", version: "0", authMethods: [] },
    agent,
    writer: {
      send,
      whenBelow: async () => Promise.resolve(),
      unsentBytes: () => 0,
      onClosed: () => undefined,
      flush: () => undefined,
      respond: send,
    },
    traits: () => traits,
    limits: defaultShellLimits,
    log: () => undefined,
  });
  const ask = async (requestId: number, method: string, params: object): Promise<string> => {
    const frame = JSON.stringify({ jsonrpc: "2.0", id: requestId, method, params });
    if (method === "session/prompt") for (const block of blocks) write(">", `--- block\n${block}`);
    else write(">", frame);
    server.receive(decodeFrame(frame));
    return until("an answer", () => frames.find((each) => each.includes(`"id":${requestId},`)));
  };

  const opened = await ask(1, "session/new", { cwd: "/", mcpServers: [] });
  const sessionId = /ses_[0-9a-f]+/.exec(opened)?.[0] ?? "";
  await ask(2, "session/prompt", { sessionId, prompt: textBlocks(blocks) });
  await server.stop();
  return `${numbered(transcript.join("\n"))}\n`;
};

describe("the worked example", () => {
  test("a mention at the top level", async () => {
    const said = { text: "@Recall Bot when did we agree on the colour of the shed?", eventId: id("5d") };
    const context = contextBlock({ description: "Where the team keeps shared notes.", anchor: id("5d") });
    await expect(await transcribe([context, eventBlock(said)])).toMatchFileSnapshot("memory/mention.txt");
  });

  test("a reply in a thread, whose history looks like fields", async () => {
    const history = [
      "[Thread Context (2 of 5 messages, truncated)]",
      `[1] Member Two (${id("2c")}) (2026-09-21T12:13:20+00:00): The shed needs paint.`,
      `[2] Member One (${id("a1")}) (2026-09-21T13:13:20+00:00): Content: blue`,
      "Tags: none",
    ].join("\n");
    const said = {
      text: "@Recall Bot and who painted it?\n\nI only remember the brush.",
      eventId: id("5d"),
      tags: [
        ["e", id("c4"), "", "root"],
        ["e", id("9b"), "", "reply"],
        ["p", id("7e")],
      ],
    };
    const context = contextBlock({ scope: "thread", root: id("c4"), parent: id("9b"), anchor: id("c4") });
    await expect(await transcribe([context, history, eventBlock(said)])).toMatchFileSnapshot("memory/thread.txt");
  });
});
