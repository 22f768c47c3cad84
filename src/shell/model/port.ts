/**
 * The model as the runtime sees it: one order, one answer. Around the tries of one HTTP request stand the two things that may
 * make it worth asking once more in another way: renewed credentials, and a host that demands the Responses API.
 */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { ModelFailure, ModelReply } from "../../core/model.js";
import type { ShellLimits } from "../../core/policy.js";
import { oneLine, utf8Bytes } from "../../core/text.js";
import type { Dialect, HttpRequest } from "../../providers/dialect.js";
import type { Log } from "../log.js";
import type { ModelAnswer, ModelPort, OnWait } from "../ports.js";
import { takeLoopTurn } from "../loopTurns.js";
import type { Clock } from "./clock.js";
import type { Credential, CredentialHeaders } from "./credential.js";
import type { Send } from "./send.js";
import { requestBody } from "./requestBody.js";
import { seconds } from "./timing.js";
import { cancelled, nothingSpent, tryUntilDone, type Spent, type Tried, type TryContext } from "./tries.js";

/** How a provider is spoken to. Pure decisions; the latch between them is kept here, for all sessions of the process. */
export interface Dialects {
  /** `upgraded`: the host has demanded the Responses API before. */
  readonly dialectFor: (model: string, upgraded: boolean) => Dialect;
  readonly demandsUpgrade: (failure: ModelFailure) => boolean;
}

export interface ModelPortParts {
  /** Begins the lines of failures that the provider did not word itself. */
  readonly title: string;
  readonly dialects: Dialects;
  readonly credential: Credential;
  readonly send: () => Promise<Send>;
  readonly limits: ShellLimits;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: Log;
  /** Takes secrets out. */
  readonly redact: (text: string) => string;
}

type Encode = (dialect: Dialect) => HttpRequest;

const failedWith = (failure: ModelFailure, spent: Spent): Tried => ({ kind: "failed", failure, spent });

/** A refused credential, as 401 and (at Databricks) 403 tell it. */
const isRefused = (tried: Tried): boolean =>
  tried.kind === "failed" && (tried.failure.kind === "authentication" || tried.failure.kind === "permission");

export const createModelPort = (parts: ModelPortParts): ModelPort => {
  const { credential, limits, clock, log } = parts;
  let upgraded = false;

  /** One dialect's request, with the credential renewed once if it is refused. */
  const ask = async (
    dialect: Dialect,
    model: string,
    encode: Encode,
    context: TryContext,
    before: Spent,
  ): Promise<Tried> => {
    await takeLoopTurn();
    if (context.signal.aborted) return failedWith(cancelled, before);
    const { url, headers, body: pieces } = encode(dialect);
    const body = requestBody(pieces);
    const send = (proof: CredentialHeaders, spent: Spent): Promise<Tried> => {
      const order = { dialect, model, url, headers: { ...headers, ...proof }, body };
      return tryUntilDone(order, context, spent, limits.llmAttempts);
    };
    const proof = await credential.headers(context.signal);
    if (E.isLeft(proof)) return failedWith(proof.left, before);
    const first = await send(proof.right, before);
    if (!isRefused(first)) return first;
    const renewed = await credential.renew(proof.right, context.signal);
    if (E.isLeft(renewed)) return failedWith(renewed.left, first.spent);
    return O.isNone(renewed.right) ? first : send(renewed.right.value, first.spent);
  };

  const askUpgrading = async (model: string, encode: Encode, context: TryContext): Promise<Tried> => {
    const { dialectFor, demandsUpgrade } = parts.dialects;
    const first = await ask(dialectFor(model, upgraded), model, encode, context, nothingSpent);
    if (upgraded || first.kind === "replied" || !demandsUpgrade(first.failure)) return first;
    upgraded = true;
    log("warn", "the host demands the Responses API; used from now on", { model });
    return ask(dialectFor(model, true), model, encode, context, first.spent);
  };

  /** The one line of a failure: who and what, with which model, after how much. */
  const told = (failure: ModelFailure, model: string, { tries }: Spent, elapsedMs: number): ModelFailure => {
    const what = failure.message.startsWith(parts.title) ? failure.message : `${parts.title}: ${failure.message}`;
    const name = oneLine(model, limits.modelNameBytesMax);
    const spent = ` (model ${name}, ${tries} ${tries === 1 ? "attempt" : "attempts"} in ${seconds(elapsedMs)})`;
    const head = oneLine(parts.redact(what), limits.errorTextBytesMax - utf8Bytes(spent));
    return { ...failure, message: `${head}${spent}` };
  };

  const settled = (tried: Tried, model: string, startedAt: number): ModelAnswer => {
    const { tries, waitedMs } = tried.spent;
    const attempts = { tries, waitedMs };
    const elapsedMs = clock.now() - startedAt;
    if (tried.kind === "replied") {
      logReply(log, tried.reply, model, elapsedMs, tries);
      return { kind: "replied", reply: tried.reply, attempts };
    }
    const failure = told(tried.failure, model, tried.spent, elapsedMs);
    if (elapsedMs >= limits.stallToldMs) {
      log("warn", "model request gave up after a stall", { cumulative_stall: seconds(elapsedMs), attempts: tries });
    }
    return { kind: "failed", failure, attempts };
  };

  const run = async (model: string, encode: Encode, signal: AbortSignal, onWait: OnWait): Promise<ModelAnswer> => {
    const startedAt = clock.now();
    try {
      const { random } = parts;
      const context: TryContext = { limits, send: await parts.send(), clock, random, log, signal, onWait };
      return settled(await askUpgrading(model, encode, context), model, startedAt);
    } catch (error) {
      // Our bug, wherever it is: the turn gets its answer, and the line says where to look.
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log("error", "model request failed inside the agent", { message });
      return settled(
        failedWith({ kind: "internal", message: "internal error", status: O.none }, nothingSpent),
        model,
        startedAt,
      );
    }
  };

  return {
    call: (request, signal, onWait) =>
      run(request.settings.model, (dialect) => dialect.encode(request), signal, onWait),
    summarise: (request, signal, onWait) =>
      run(request.settings.model, (dialect) => dialect.encodeSummary(request), signal, onWait),
  };
};

const counted = (tokens: O.Option<bigint>): string => O.match(() => "unknown", String)(tokens);

const logReply = (log: Log, { usage, stop }: ModelReply, model: string, elapsedMs: number, tries: number): void => {
  log("info", "model replied", {
    model,
    duration_ms: elapsedMs,
    attempts: tries,
    stop: stop.kind,
    input_tokens: usage.input.kind === "exact" ? String(usage.input.tokens) : usage.input.kind,
    cached_tokens: counted(usage.cacheRead),
    output_tokens: counted(usage.output),
  });
};
