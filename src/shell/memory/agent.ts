/**
 * The second agent: it answers from a memory instead of a model. No turn depends on another, so a session is nothing but the
 * turn that runs in it.
 */
import { right } from "fp-ts/lib/Either.js";
import { isBlank, utf8Bytes } from "../../core/text.js";
import { defaultPolicy } from "../../core/policy.js";
import type { Agent, AgentSession, PromptAnswer, SessionClient } from "../acp/agent.js";
import type { Log } from "../log.js";
import { runTurn, type TurnDeps } from "./turn.js";

export interface MemoryAgentDeps extends TurnDeps {
  readonly log: Log;
}

interface RunningTurn {
  readonly abort: AbortController;
  readonly answer: (answer: PromptAnswer) => void;
}

export const createMemoryAgent = (deps: MemoryAgentDeps): Agent => ({
  open: async (_request, client) => Promise.resolve(right(createMemorySession(deps, client))),
});

const createMemorySession = (deps: MemoryAgentDeps, client: SessionClient): AgentSession => {
  let running: RunningTurn | undefined;
  let closed = false;

  const finish = (turn: RunningTurn, reason: "end_turn" | "cancelled"): void => {
    if (running !== turn) return;
    running = undefined;
    turn.answer({ kind: "stopped", reason });
  };

  /** A turn has nothing to drain: a recall that is under way goes on in its thread, and nobody waits for it. */
  const cancel = (): void => {
    if (running === undefined) return;
    running.abort.abort();
    finish(running, "cancelled");
  };

  const start = async (turn: RunningTurn, runId: string, blocks: readonly string[]): Promise<void> => {
    const { signal } = turn.abort;
    let said = 0;
    const say = (text: string): void => {
      if (signal.aborted) return;
      said += 1;
      client.publish({ kind: "messageSaid", messageId: `${runId}-m${said}`, text });
    };
    try {
      await runTurn(deps, blocks, say, signal);
    } catch (fault) {
      deps.log("error", "a turn failed in our own code", { fault: String(fault) });
      say("Something went wrong inside the agent; its log says what.");
    }
    finish(turn, "end_turn");
  };

  const refusal = (text: string): "closed" | "busy" | "empty" | "tooLarge" | undefined => {
    if (closed) return "closed";
    if (running !== undefined) return "busy";
    if (isBlank(text)) return "empty";
    return utf8Bytes(text) > defaultPolicy.promptBytesMax ? "tooLarge" : undefined;
  };

  return {
    options: () => [],
    choose: () => undefined,
    prompt: (runId, text, answer, blocks) => {
      const reason = refusal(text);
      if (reason !== undefined) return answer({ kind: "refused", reason });
      const turn = { abort: new AbortController(), answer };
      running = turn;
      return void start(turn, runId, blocks);
    },
    // A question that is being looked up takes nothing in. No run is announced either, so harnesses do not try: they cancel
    // and ask again.
    steer: (_steer, answer) => {
      answer({ kind: "refused", reason: { kind: running === undefined ? "noTurn" : "ending" } });
    },
    cancel,
    settle: async () => {
      closed = true;
      cancel();
      return Promise.resolve();
    },
    end: async () => Promise.resolve(),
  };
};
