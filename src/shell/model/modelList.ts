/**
 * The models that a client may choose from: the configured one, the operator's list, and what the host lists. The host is asked
 * once for the process, and only what it has really said is kept (spec/providers.md 13.5).
 */
import * as E from "fp-ts/lib/Either.js";
import type { ModelFailure } from "../../core/model.js";
import { defaultShellLimits } from "../../core/policy.js";
import { utf8Bytes } from "../../core/text.js";
import type { ModelChoice } from "../agent/choices.js";
import type { Log } from "../log.js";
import type { Clock } from "./clock.js";

export type FetchModels = () => Promise<E.Either<ModelFailure, readonly ModelChoice[]>>;

export interface ModelListParts {
  readonly configured: string;
  /** The operator's own list. */
  readonly listed: readonly string[];
  /** Undefined where the host is not to be asked. */
  readonly fetch: FetchModels | undefined;
  /** A refused credential is a key that no person can renew: no session can do anything with it. */
  readonly refusesSession: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

export type ModelList = (signal: AbortSignal) => Promise<E.Either<ModelFailure, readonly ModelChoice[]>>;

const asChoice = (id: string): ModelChoice => ({ id, name: id });

/** The first of each id counts. A host may list more than fits one frame to the client; what comes last is left out. */
const offered = (choices: readonly ModelChoice[]): readonly ModelChoice[] => {
  const seen = new Map<string, ModelChoice>();
  let bytes = 0;
  for (const choice of choices) {
    if (seen.has(choice.id)) continue;
    bytes += utf8Bytes(JSON.stringify(choice));
    if (bytes > defaultShellLimits.modelChoicesBytesMax) break;
    seen.set(choice.id, choice);
  }
  return [...seen.values()];
};

/** Resolves within the time limit and never rejects. */
export const createModelList = (parts: ModelListParts): ModelList => {
  const { configured, listed, fetch, timeoutMs, clock, log } = parts;
  const own = [configured.trim(), ...listed].map(asChoice);
  let asked: ReturnType<FetchModels> | undefined;

  /** Several sessions may wait for one answer; a failed one is forgotten, so that the next session asks again. */
  const ask = async (fetchModels: FetchModels): ReturnType<FetchModels> => {
    const answer = await fetchModels();
    if (E.isLeft(answer)) {
      asked = undefined;
      log("warn", "the models of the host are not known", { why: answer.left.message });
    }
    return answer;
  };

  const nothingYet = async (signal: AbortSignal): ReturnType<FetchModels> => {
    await clock.sleep(timeoutMs, signal);
    return E.right([]);
  };

  return async (signal) => {
    if (fetch === undefined) return E.right(offered(own));
    asked ??= ask(fetch);
    const waited = new AbortController();
    const stop = (): void => waited.abort();
    signal.addEventListener("abort", stop);
    const answer = await Promise.race([asked, nothingYet(waited.signal)]);
    signal.removeEventListener("abort", stop);
    stop();
    if (E.isRight(answer)) return E.right(offered([...own, ...answer.right]));
    return parts.refusesSession && answer.left.kind === "authentication" ? answer : E.right(offered(own));
  };
};
