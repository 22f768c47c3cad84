/** The methods that a client may call, each a function from its decoded parameters to exactly one answer. */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { member, type Json, type JsonObject } from "../../core/json.js";
import type { SteerAnswer } from "../../core/effect.js";
import { assertNever } from "../../core/never.js";
import { defaultShellLimits } from "../../core/policy.js";
import { utf8Bytes } from "../../core/text.js";
import type { RequestId, RpcError } from "../stdio/envelope.js";
import type { AgentIdentity, PromptAnswer, SelectOption } from "./agent.js";
import { queuedSteer } from "./encode.js";
import { invalidParams } from "./errors.js";
import { configOptions, configOptionUpdate } from "./options.js";
import { anyString, requiredString } from "./params.js";
import { joinBlocks, promptBlocks } from "./promptText.js";
import { promptRefused, steerRefused, turnFailed, unknownSession } from "./sessionErrors.js";
import { hexId, type OpenSession, type Sessions } from "./sessions.js";

export type Answer = Either<RpcError, Json>;

export interface Call {
  readonly id: RequestId;
  readonly params: Json;
  /** Writes the answer; called exactly once. */
  readonly reply: (answer: Answer) => void;
}

export type Method = (call: Call) => void;

export interface MethodsDeps {
  readonly sessions: Sessions;
  readonly identity: AgentIdentity;
  /** The client was offered a login. */
  readonly canLogIn: () => boolean;
  readonly openSession: Method;
  readonly cancelDrainMs: number;
}

export const createMethods = (deps: MethodsDeps): ReadonlyMap<string, Method> => {
  const { sessions, identity, canLogIn } = deps;

  const forSession =
    (run: (open: OpenSession, call: Call) => void): Method =>
    (call) => {
      const id = anyString(call.params, "sessionId");
      if (isLeft(id)) return call.reply(left(invalidParams("session", id.left)));
      const open = sessions.find(id.right);
      return open === undefined ? call.reply(left(unknownSession(id.right))) : run(open, call);
    };

  const authenticate: Method = ({ params, reply }) => {
    const method = member(params, "methodId");
    const known = identity.authMethods.some(({ id }) => id === method);
    reply(known ? right({}) : left(invalidParams("authenticate", "unknown methodId")));
  };

  const prompt = (open: OpenSession, { id, params, reply }: Call): void => {
    const blocks = promptBlocks(params);
    if (isLeft(blocks)) return reply(left(invalidParams("session/prompt", blocks.left)));
    return sessions.prompt(open, id, { text: joinBlocks(blocks.right), blocks: blocks.right }, (answer) => {
      reply(promptAnswered(open.id, answer, canLogIn()));
    });
  };

  const steer = (open: OpenSession, { params, reply }: Call): void => {
    const blocks = promptBlocks(params);
    if (isLeft(blocks)) return reply(left(invalidParams("steer", blocks.left)));
    const expectedRunId = requiredString(params, "expectedRunId");
    if (isLeft(expectedRunId)) return reply(left(invalidParams("steer", expectedRunId.left)));
    const request = { messageId: hexId("steer"), expectedRunId: expectedRunId.right, text: joinBlocks(blocks.right) };
    return open.session.steer(request, (answer) => {
      steerAnswered(open, answer, reply);
    });
  };

  const cancel = (open: OpenSession): void => {
    open.session.cancel(deps.cancelDrainMs);
  };

  const cancelAsked: Method = ({ params, reply }) => {
    const open = sessions.find(member(params, "sessionId"));
    if (open !== undefined) cancel(open);
    reply(right(null));
  };

  const close: Method = ({ params, reply }) => {
    const id = anyString(params, "sessionId");
    if (isLeft(id)) return reply(left(invalidParams("session/close", id.left)));
    const open = sessions.find(id.right);
    if (open === undefined) return reply(right({}));
    return void closeAndReply(open, reply);
  };

  const closeAndReply = async (open: OpenSession, reply: Call["reply"]): Promise<void> => {
    await sessions.close(open);
    reply(right({}));
  };

  return new Map<string, Method>([
    ["authenticate", authenticate],
    ["session/new", deps.openSession],
    ["session/prompt", forSession(prompt)],
    ["session/cancel", cancelAsked],
    ["session/close", close],
    ["session/set_config_option", forSession(setConfigOption)],
    ["session/set_model", forSession(setModel)],
    ["_goose/unstable/session/steer", forSession(steer)],
  ]);
};

const promptAnswered = (sessionId: string, answer: PromptAnswer, canLogIn: boolean): Answer => {
  switch (answer.kind) {
    case "stopped":
      return right({ stopReason: answer.reason });
    case "failed":
      return left(turnFailed(answer.failure, answer.model, canLogIn));
    case "refused":
      return left(promptRefused(sessionId, answer.reason));
    default:
      return assertNever(answer);
  }
};

const steerAnswered = (open: OpenSession, answer: SteerAnswer, reply: Call["reply"]): void => {
  if (answer.kind === "refused") return reply(left(steerRefused(answer.reason)));
  const { runId, messageId } = answer;
  // The response goes first: buzz-acp takes the update as news about a steer that it knows.
  reply(right({ runId, messageId }));
  return open.outlet.send(queuedSteer(messageId, runId));
};

const setConfigOption = (open: OpenSession, { params, reply }: Call): void => {
  const before = open.session.options();
  const configId = member(params, "configId");
  const value = member(params, "value");
  const option = before.find(({ id }) => id === configId);
  if (option === undefined) return reply(left(invalidParams("session/set_config_option", "unknown configId")));
  if (typeof value !== "string" || !option.choices.some((choice) => choice.value === value)) {
    return reply(left(invalidParams("session/set_config_option", `unknown value for ${option.id}`)));
  }
  open.session.choose(option.id, value);
  const after = open.session.options();
  reply(right({ configOptions: configOptions(after) }));
  // Another model may have other efforts; whoever shows only the option it has set hears of it here.
  if (othersChanged(option.id, before, after)) open.outlet.send(configOptionUpdate(after));
};

const othersChanged = (id: string, before: readonly SelectOption[], after: readonly SelectOption[]): boolean => {
  const others = (options: readonly SelectOption[]): readonly JsonObject[] =>
    configOptions(options.filter((option) => option.id !== id));
  return JSON.stringify(others(before)) !== JSON.stringify(others(after));
};

const setModel = (open: OpenSession, { params, reply }: Call): void => {
  const modelId = requiredString(params, "modelId");
  if (isLeft(modelId)) return reply(left(invalidParams("session/set_model", modelId.left)));
  if (utf8Bytes(modelId.right) > defaultShellLimits.modelIdBytesMax) {
    return reply(left(invalidParams("session/set_model", "modelId is too long")));
  }
  const model = open.session.options().find(({ category }) => category === "model");
  if (model === undefined) return reply(left(invalidParams("session/set_model", "this agent has no models")));
  open.session.choose(model.id, modelId.right);
  reply(right({}));
  return open.outlet.send(configOptionUpdate(open.session.options()));
};
