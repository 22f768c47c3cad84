/** `session/new`: what can be judged without the agent, then the agent, then the answer and what had to wait for it. */
import { isAbsolute } from "node:path";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import type { Json } from "../../core/json.js";
import type { RpcError } from "../stdio/envelope.js";
import { invalidParams } from "./errors.js";
import type { ClientTraits } from "./initialize.js";
import type { Method } from "./methods.js";
import { configOptions, legacyModels } from "./options.js";
import { optionalArray, optionalString, requiredString } from "./params.js";
import type { NewSession, Sessions } from "./sessions.js";

export const newSession =
  (sessions: Sessions, traits: () => ClientTraits, answered: () => void): Method =>
  ({ params, reply }) => {
    const request = readRequest(params, traits());
    if (isLeft(request)) return reply(request);
    return sessions.open(request.right, (opened) => {
      if (isLeft(opened)) return reply(opened);
      const { id, session, outlet } = opened.right;
      const options = session.options();
      reply(right({ sessionId: id, configOptions: configOptions(options), ...legacyModels(options) }));
      answered();
      return outlet.open();
    });
  };

const readRequest = (params: Json, traits: ClientTraits): Either<RpcError, NewSession> => {
  const cwd = workingDirectory(params);
  if (isLeft(cwd)) return invalid(cwd.left);
  const mcpServers = optionalArray(params, "mcpServers");
  if (isLeft(mcpServers)) return invalid(mcpServers.left);
  // A root key of this name means something else in drafts of v1, so only the dialect that it belongs to is heard.
  const systemPrompt = traits.version === 2 ? optionalString(params, "systemPrompt") : right("");
  if (isLeft(systemPrompt)) return invalid(systemPrompt.left);
  return right({ cwd: cwd.right, mcpServers: mcpServers.right, systemPrompt: systemPrompt.right });
};

const invalid = (fault: string): Either<RpcError, never> => left(invalidParams("session/new", fault));

/** Tools run in the session's directory, wherever the process is. Whether it is there is asked when the session is opened. */
const workingDirectory = (params: Json): Either<string, string> => {
  const cwd = requiredString(params, "cwd");
  if (isLeft(cwd)) return cwd;
  return isAbsolute(cwd.right) ? cwd : left("cwd must be an absolute path");
};
