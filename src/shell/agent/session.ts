/**
 * One session of the main agent: its runtime, its tools, its choices. The runtime with the reducer is most of the code, and
 * nothing of it is needed to answer `session/new`: it is read when that answer has left, or when it is first asked for something.
 */
import type { Event } from "../../core/event.js";
import type { Policy } from "../../core/policy.js";
import type { SessionConfig } from "../../core/session.js";
import type { AgentSession, SessionClient } from "../acp/agent.js";
import type { Later } from "../later.js";
import type { Log } from "../log.js";
import type { ModelPort, Offered, ToolsPort } from "../ports.js";
import type { Recorder } from "../record/recorder.js";
import type { Choices } from "./choices.js";
import type { Runtime } from "./runtime.js";
import type { RuntimeCode } from "./runtimeCode.js";

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
  readonly runtimeCode: Pick<Later<RuntimeCode>, "use" | "readSoon">;
}

export const createSession = (deps: SessionDeps): AgentSession => {
  const { id, system, policy, model, tools, choices, client, redact, log, runtimeCode } = deps;
  const config: SessionConfig = { id, system, policy, settings: choices.settings() };
  const recorder = deps.record(config);

  let runtime: Runtime | undefined;

  const start = ({ createRuntime }: RuntimeCode): Runtime => {
    const started = createRuntime({ config, model, tools, client, redact, record: recorder.record, log });
    const offer = (offered: Offered): void => {
      started.post({ type: "catalogChanged", ...offered });
    };
    tools.onChange(offer);
    offer(tools.offered());
    return started;
  };
  const use = (work: (runtime: Runtime) => void): void => {
    runtimeCode.use((code) => {
      runtime ??= start(code);
      work(runtime);
    });
  };
  tools.onNotice((notice) => {
    client.publish({ kind: "noticeTold", ...notice });
  });
  runtimeCode.readSoon();

  return {
    options: choices.options,
    choose: (optionId, value) => {
      const settings = choices.choose(optionId, value);
      use(({ post }) => {
        post({ type: "settingsChanged", settings });
      });
    },
    prompt: (runId, text, answer) => {
      use(({ prompt }) => {
        prompt(runId, text, answer);
      });
    },
    steer: (request, answer) => {
      use(({ steer }) => {
        steer(request, answer);
      });
    },
    cancel: (drainMs) => {
      use(({ post }) => {
        post({ type: "cancelRequested", drainMs });
      });
    },
    settle: async (drainMs) =>
      new Promise((resolve) => {
        use(({ post, idle }) => {
          post({ type: "closeRequested", drainMs });
          resolve(idle());
        });
      }),
    end: async (graceMs) => {
      await Promise.all([tools.close(graceMs), recorder.close()]);
    },
  };
};
