/** `session/new`: what can be judged without the agent, then the agent, then the answer and what had to wait for it. */
import path from "node:path";
import { sequenceS } from "fp-ts/lib/Apply.js";
import { Apply, type Either, isLeft, left, mapLeft, right } from "fp-ts/lib/Either.js";
import type { Json } from "../../core/json.js";
import type { RpcError } from "../stdio/envelope.js";
import { stat } from "../fileCalls.js";
import { invalidParams } from "./errors.js";
import type { ClientTraits } from "./initialize.js";
import type { Method } from "./methods.js";
import { configOptions, legacyModels } from "./options.js";
import { optionalArray, optionalString, requiredString } from "./params.js";
import type { NewSession, Sessions } from "./sessions.js";

export const newSession =
  (sessions: Sessions, traits: () => ClientTraits): Method =>
  ({ params, reply }) => {
    sessions.open(readRequest(params, traits()), (opened) => {
      if (isLeft(opened)) return reply(opened);
      const { id, session, outlet } = opened.right;
      const options = session.options();
      reply(right({ sessionId: id, configOptions: configOptions(options), ...legacyModels(options) }));
      return outlet.open();
    });
  };

const readRequest = async (params: Json, traits: ClientTraits): Promise<Either<RpcError, NewSession>> =>
  mapLeft((fault: string) => invalidParams("session/new", fault))(
    sequenceS(Apply)({
      cwd: await workingDirectory(params),
      mcpServers: optionalArray(params, "mcpServers"),
      // A root key of this name means something else in drafts of v1, so only the dialect that it belongs to is heard.
      systemPrompt: traits.version === 2 ? optionalString(params, "systemPrompt") : right(""),
    }),
  );

/** Tools run in the session's directory, wherever the process is; a wrong one would only show when the first server fails. */
const workingDirectory = async (params: Json): Promise<Either<string, string>> => {
  const cwd = requiredString(params, "cwd");
  if (isLeft(cwd)) return cwd;
  if (!path.isAbsolute(cwd.right)) return left("cwd must be an absolute path");
  const isDirectory = await stat(cwd.right).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isDirectory ? cwd : left("cwd must be a directory that exists");
};
