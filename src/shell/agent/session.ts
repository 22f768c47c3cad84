/**
 * One session of the main agent: its runtime, its tools, its choices. The runtime with the reducer is most of the code, and
 * nothing of it is needed to answer `session/new`: it is read when that answer has left, or when it is first asked for something.
 */
import { none } from "fp-ts/lib/Option.js";
import type { Event } from "../../core/event.js";
import type { Policy } from "../../core/policy.js";
import type { SessionConfig } from "../../core/session.js";
import type { AgentSession, SessionClient } from "../acp/agent.js";
import { createLater } from "../later.js";
import type { Log } from "../log.js";
import type { ModelPort, Offered, ToolsPort } from "../ports.js";
import type { Recorder } from "../record/recorder.js";
import type { Choices } from "./choices.js";
import type { Runtime } from "./runtime.js";

export interface SessionDeps {
  readonly id: string;
  readonly system: string;
  readonly policy: Policy;
  readonly model: ModelPort;
  readonly tools: ToolsPort;
  readonly choices: Choices;
  readonly client: SessionClient;
  readonly redact: (event: Event) => Event;
  readonly record: (config: SessionConfig) => Recorder;
  readonly log: Log;
}

export const createSession = (deps: SessionDeps): AgentSession => {
  const { id, system, policy, model, tools, choices, client, redact, log } = deps;
  const config: SessionConfig = { id, system, policy, settings: choices.settings() };
  const recorder = deps.record(config);

  const start = async (): Promise<Runtime> => {
    const { createRuntime } = await import("./runtime.js");
    const runtime = createRuntime({ config, model, tools, client, redact, record: recorder.record, log });
    const offer = (offered: Offered): void => {
      runtime.post({ type: "catalogChanged", ...offered });
    };
    tools.onChange(offer);
    offer(tools.offered());
    return runtime;
  };
  const runtime = createLater(async () =>
    start().catch((fault: unknown) => {
      log("error", "the reducer cannot be loaded", { session: id, fault: String(fault) });
      return brokenRuntime(config.settings.model);
    }),
  );
  tools.onNotice((notice) => {
    client.publish({ kind: "noticeTold", ...notice });
  });
  runtime.readSoon();

  return {
    options: choices.options,
    choose: (optionId, value) => {
      const settings = choices.choose(optionId, value);
      runtime.use(({ post }) => {
        post({ type: "settingsChanged", settings });
      });
    },
    prompt: (runId, text, answer) => {
      runtime.use(({ prompt }) => {
        prompt(runId, text, answer);
      });
    },
    steer: (request, answer) => {
      runtime.use(({ steer }) => {
        steer(request, answer);
      });
    },
    cancel: (drainMs) => {
      runtime.use(({ post }) => {
        post({ type: "cancelRequested", drainMs });
      });
    },
    settle: async (drainMs) =>
      new Promise((resolve) => {
        runtime.use(({ post, idle }) => {
          post({ type: "closeRequested", drainMs });
          resolve(idle());
        });
      }),
    end: async (graceMs) => {
      await Promise.all([tools.close(graceMs), recorder.close()]);
    },
  };
};

/** What is left when an installation is damaged: every request is still answered. */
const brokenRuntime = (model: string): Runtime => {
  const failure = { kind: "internal", message: "the agent cannot be loaded", status: none } as const;
  return {
    post: () => undefined,
    prompt: (_runId, _text, answer) => {
      answer({ kind: "failed", failure, model });
    },
    steer: (_request, answer) => {
      answer({ kind: "refused", reason: { kind: "noTurn" } });
    },
    idle: () => Promise.resolve(),
  };
};
