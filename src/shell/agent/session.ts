/** One session of the main agent: its runtime, its tools, its choices. */
import type { Event } from "../../core/event.js";
import type { Policy } from "../../core/policy.js";
import { initialSession, type SessionConfig } from "../../core/session.js";
import type { AgentSession, SessionClient } from "../acp/agent.js";
import type { Log } from "../log.js";
import type { ModelPort, Offered, ToolsPort } from "../ports.js";
import type { Recorder } from "../record/recorder.js";
import type { Choices } from "./choices.js";
import { createRuntime } from "./runtime.js";

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
  const initial = initialSession(config);
  const runtime = createRuntime({ initial, model, tools, client, redact, record: recorder.record, log });

  const offer = (offered: Offered): void => {
    runtime.post({ type: "catalogChanged", ...offered });
  };
  tools.onChange(offer);
  tools.onNotice((notice) => {
    client.publish({ kind: "noticeTold", ...notice });
  });
  offer(tools.offered());

  return {
    options: choices.options,
    choose: (optionId, value) => {
      runtime.post({ type: "settingsChanged", settings: choices.choose(optionId, value) });
    },
    prompt: runtime.prompt,
    steer: runtime.steer,
    cancel: (drainMs) => {
      runtime.post({ type: "cancelRequested", drainMs });
    },
    settle: async (drainMs) => {
      runtime.post({ type: "closeRequested", drainMs });
      await runtime.idle();
    },
    end: async (graceMs) => {
      await Promise.all([tools.close(graceMs), recorder.close()]);
    },
  };
};
