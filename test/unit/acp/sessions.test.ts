import { right } from "fp-ts/lib/Either.js";
import { describe, expect, test } from "vitest";
import { defaultShellLimits } from "../../../src/core/policy.js";
import type { Agent, AgentSession } from "../../../src/shell/acp/agent.js";
import { unknownClient } from "../../../src/shell/acp/initialize.js";
import { createSessions, type OpenSession, type Sessions } from "../../../src/shell/acp/sessions.js";
import { createWriter } from "../../../src/shell/stdio/writer.js";

const gate = (): { readonly passed: Promise<void>; readonly open: () => void } => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
};

const session: AgentSession = {
  options: () => [],
  choose: () => undefined,
  prompt: () => undefined,
  steer: () => undefined,
  cancel: () => undefined,
  settle: () => Promise.resolve(),
  end: () => Promise.resolve(),
};

const sessionsOf = (agent: Agent, logged: string[] = []): Sessions =>
  createSessions({
    agent,
    writer: createWriter({ write: (_, done) => done(), onClosed: () => undefined }),
    traits: () => unknownClient,
    canLogIn: () => false,
    turnCode: { use: () => undefined },
    limits: defaultShellLimits,
    log: (_, message) => void logged.push(message),
  });

const request = { cwd: "/", mcpServers: [], systemPrompt: "" };

describe("the sessions of a connection", () => {
  // One that was being closed belonged to nobody until its turn was answered: the agent ended without that answer, and without
  // ending what the session had started. Kills a close that is waited for from its second half on.
  test("are not all closed while one of them still owes the answer of its turn", async () => {
    const settled = gate();
    const happened: string[] = [];
    const slow: AgentSession = {
      ...session,
      settle: async () => {
        await settled.passed;
        happened.push("answered");
      },
      end: () => Promise.resolve(void happened.push("ended")),
    };
    const sessions = sessionsOf({ open: () => Promise.resolve(right(slow)) });
    const open = await new Promise<OpenSession>((resolve) => {
      sessions.open(request, (opened) => {
        if (opened._tag === "Right") resolve(opened.right);
      });
    });
    void sessions.close(open);
    const all = sessions.closeAll().then(() => happened.push("all closed"));
    setImmediate(settled.open);
    await all;
    // Ending it again, in a hurry, is harmless.
    expect([...new Set(happened)]).toEqual(["answered", "ended", "all closed"]);
  });

  // An agent promises not to reject; should it, the client waited for ever for its session.
  test("answer a session/new in which the agent has a fault, and go on", async () => {
    const logged: string[] = [];
    const sessions = sessionsOf({ open: () => Promise.reject(new Error("bug")) }, logged);
    const answer = await new Promise((resolve) => {
      sessions.open(request, resolve);
    });
    expect(answer).toMatchObject({ left: { code: -32603, data: { kind: "internal" } } });
    expect(logged).toHaveLength(1);
    await sessions.closeAll();
  });
});
