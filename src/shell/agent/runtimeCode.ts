/** The code of runtimes, read for the first session: for all that come after it is there. */
import { none } from "fp-ts/lib/Option.js";
import { createLater, type Later } from "../later.js";
import type { Log } from "../log.js";
import type { Runtime, RuntimeDeps } from "./runtime.js";

export interface RuntimeCode {
  readonly createRuntime: (deps: RuntimeDeps) => Runtime;
}

export const createRuntimeCode = (log: Log): Later<RuntimeCode> =>
  createLater(async () =>
    readRuntime().catch((fault: unknown) => {
      log("error", "the reducer cannot be loaded", { fault: String(fault) });
      return { createRuntime: brokenRuntime };
    }),
  );

/** Of a file that is empty nothing comes, and no fault either. */
const readRuntime = async (): Promise<RuntimeCode> => {
  const { createRuntime } = await import("./runtime.js");
  return { createRuntime };
};

/** What is left when an installation is damaged: every prompt is still answered. */
const brokenRuntime = ({ config }: RuntimeDeps): Runtime => {
  const failure = { kind: "internal", message: "the agent cannot be loaded", status: none } as const;
  return {
    post: () => undefined,
    prompt: (_runId, _text, answer) => {
      answer({ kind: "failed", failure, model: config.settings.model });
    },
    steer: (_request, answer) => {
      answer({ kind: "refused", reason: { kind: "noTurn" } });
    },
    idle: () => Promise.resolve(),
  };
};
