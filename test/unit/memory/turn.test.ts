import { left, right, type Either } from "fp-ts/lib/Either.js";
import { describe, expect, test } from "vitest";
import type { PromptAnswer } from "../../../src/shell/acp/agent.js";
import { createMemoryAgent } from "../../../src/shell/memory/agent.js";
import type { ReplyTarget } from "../../../src/shell/memory/buzz/contextBlock.js";
import type { Memory, Recalled } from "../../../src/shell/memory/source.js";
import { CHANNEL, eventBlock, eventId, mention } from "../../support/buzzPrompt.js";

interface Script {
  readonly recalled: Recalled;
  readonly available: boolean;
  readonly sent: Either<string, void>;
}

const hits: readonly Memory[] = [{ content: "Blue was chosen.", similarity: 0.5, ageHours: 30 }];
const usual: Script = { recalled: right(hits), available: true, sent: right(undefined) };

/** An agent whose memory and poster do as they are told, and everything that happens, in order. */
const start = async (script: Partial<Script> = {}) => {
  const { recalled, available, sent } = { ...usual, ...script };
  const happened: string[] = [];
  const posted: { readonly target: ReplyTarget; readonly body: string }[] = [];
  const asked: { readonly query: string; readonly k: number }[] = [];
  const agent = createMemoryAgent({
    source: {
      recall: async (query, k) => {
        asked.push({ query, k });
        return Promise.resolve(recalled);
      },
    },
    sink: {
      available: async () => Promise.resolve(available),
      send: async (target, body) => {
        posted.push({ target, body });
        return Promise.resolve(sent);
      },
    },
    topK: 7,
    postBytesMax: 65_535,
    log: () => undefined,
  });
  const opened = await agent.open(
    { sessionId: "s", cwd: "/", mcpServers: [], systemPrompt: "", signal: new AbortController().signal },
    {
      publish: (update) => happened.push(update.kind === "messageSaid" ? `said ${update.text}` : update.kind),
      askPermission: async () => Promise.resolve("cancelled"),
      whenDrained: async () => Promise.resolve(),
    },
  );
  if (opened._tag === "Left") throw new Error("not opened");
  const session = opened.right;
  const prompt = async (blocks: readonly string[]): Promise<PromptAnswer> =>
    new Promise((resolve) => {
      const answer = (given: PromptAnswer): void => {
        happened.push(given.kind === "stopped" ? given.reason : given.kind);
        resolve(given);
      };
      session.prompt("run", blocks.join("\n"), answer, blocks);
    });
  return { session, prompt, happened, posted, asked };
};

const ANSWER = '1 memory for "which colour?":\n\n1. [50% · 1d ago] Blue was chosen.';
const question = mention("which colour?");

describe("a turn of the memory agent", () => {
  test("recalls, says what was recalled, posts the same once, and ends", async () => {
    const { prompt, happened, posted, asked } = await start();
    expect(await prompt(question)).toEqual({ kind: "stopped", reason: "end_turn" });
    expect(asked).toEqual([{ query: "which colour?", k: 7 }]);
    expect(happened).toEqual([`said ${ANSWER}`, "end_turn"]);
    expect(posted).toHaveLength(1);
    expect(posted[0]?.body).toBe(ANSWER);
    expect(posted[0]?.target.channel).toBe(CHANNEL);
    expect(posted[0]?.target.replyTo).toMatchObject({ value: eventId({ text: "which colour?" }) });
  });

  test("says that there is nothing, and ends, when nothing is remembered", async () => {
    const { prompt, happened } = await start({ recalled: right([]) });
    await prompt(question);
    expect(happened).toEqual(['said No memories resonated with "which colour?".', "end_turn"]);
  });

  test("says why a recall has failed, and ends: failures are words, in the channel too", async () => {
    const { prompt, happened, posted } = await start({ recalled: left("the store does not exist") });
    await prompt(question);
    expect(happened).toEqual(["said Recall failed: the store does not exist.", "end_turn"]);
    expect(posted.map(({ body }) => body)).toEqual(["Recall failed: the store does not exist."]);
  });

  test("says that a reply was not posted, and why, behind the answer", async () => {
    const { prompt, happened } = await start({ sent: left("buzz messages send exited with 2: no relay") });
    await prompt(question);
    expect(happened).toEqual([
      `said ${ANSWER}`,
      "said (The reply was not posted: buzz messages send exited with 2: no relay.)",
      "end_turn",
    ]);
  });

  test("posts nothing without a context, or without a program to post with", async () => {
    const bare = await start();
    await bare.prompt([eventBlock({ text: "which colour?" })]);
    await bare.prompt(["which colour?"]);
    const alone = await start({ available: false });
    await alone.prompt(question);
    expect([...bare.posted, ...alone.posted]).toEqual([]);
    expect(alone.happened).toEqual([`said ${ANSWER}`, "end_turn"]);
  });

  test("looks nothing up when nothing was asked", async () => {
    const { prompt, happened, posted, asked } = await start();
    await prompt(mention("  "));
    await prompt(["[System: Heartbeat]\nTime: x"]);
    expect(happened).toEqual([
      "said There was nothing to look up.",
      "end_turn",
      "said There was nothing to look up.",
      "end_turn",
    ]);
    expect([...asked, ...posted]).toEqual([]);
  });

  test("that is cancelled is answered on the spot, and says and posts nothing any more", async () => {
    const { session, prompt, happened, posted } = await start();
    const answer = prompt(question);
    session.cancel(5000);
    expect(happened).toEqual(["cancelled"]);
    expect(await answer).toEqual({ kind: "stopped", reason: "cancelled" });
    expect((await prompt(question)).kind).toBe("stopped");
    expect(happened).toEqual(["cancelled", `said ${ANSWER}`, "end_turn"]);
    expect(posted).toHaveLength(1);
  });

  test("is not touched by a cancel that came before it (a cancel between turns has nothing to cancel)", async () => {
    const { session, prompt } = await start();
    session.cancel(5000);
    expect(await prompt(question)).toEqual({ kind: "stopped", reason: "end_turn" });
  });

  test("refuses a second prompt, an empty one, a huge one, and any after the end", async () => {
    const { session, prompt } = await start();
    const first = prompt(question);
    expect(await prompt(question)).toEqual({ kind: "refused", reason: "busy" });
    await first;
    expect(await prompt(["", " \n"])).toEqual({ kind: "refused", reason: "empty" });
    expect(await prompt(["x".repeat(1024 * 1024 + 1)])).toEqual({ kind: "refused", reason: "tooLarge" });
    await session.settle(0);
    expect(await prompt(question)).toEqual({ kind: "refused", reason: "closed" });
  });

  test("takes no steer, so that a harness cancels and asks again", async () => {
    const { session, prompt } = await start();
    const refused: unknown[] = [];
    const steer = { messageId: "m", expectedRunId: "run", text: "x" };
    const first = prompt(question);
    session.steer(steer, (answer) => refused.push(answer));
    await first;
    session.steer(steer, (answer) => refused.push(answer));
    expect(refused).toEqual([
      { kind: "refused", reason: { kind: "ending" } },
      { kind: "refused", reason: { kind: "noTurn" } },
    ]);
  });
});
