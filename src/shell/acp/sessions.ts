/** The sessions of one connection: opened, looked up, closed, evicted when idle, and all ended when the agent ends. */
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import type { Json } from "../../core/json.js";
import type { ShellLimits } from "../../core/policy.js";
import { stat } from "../fileCalls.js";
import type { Later } from "../later.js";
import type { Log } from "../log.js";
import { idKey, requestId, type RequestId, type RpcError } from "../stdio/envelope.js";
import type { Writer } from "../stdio/writer.js";
import type { Agent, AgentSession, OpenRequest, PromptAnswer, SessionClient } from "./agent.js";
import { internalError, invalidParams } from "./errors.js";
import { createIdleTimers } from "./idleTimers.js";
import type { ClientTraits } from "./initialize.js";
import { createLeaving, type EndTimes } from "./leaving.js";
import { createOpenings } from "./openings.js";
import { createOutlet, type Outlet } from "./outlet.js";
import type { TurnCode } from "./turnCode.js";

export interface OpenSession {
  readonly id: string;
  readonly session: AgentSession;
  readonly outlet: Outlet;
  /** The prompt requests that are not answered yet, each by an object of its own: two may carry the same id, `null` for one. */
  readonly prompts: Set<{ readonly key: string }>;
}

/** What the client asks for. */
export type NewSession = Pick<OpenRequest, "cwd" | "mcpServers" | "systemPrompt">;

export interface Sessions {
  /** Opens what is asked for, and gives the answer: until then the end of the agent waits. */
  readonly open: (request: NewSession, answer: (opened: Either<RpcError, OpenSession>) => void) => void;
  readonly find: (id: Json | undefined) => OpenSession | undefined;
  /** The session whose running turn answers this request. */
  readonly prompting: (request: Json | undefined) => OpenSession | undefined;
  readonly prompt: (
    open: OpenSession,
    request: RequestId,
    asked: { readonly text: string; readonly blocks: readonly string[] },
    answer: (answer: PromptAnswer) => void,
  ) => void;
  /** The id is unknown at once; resolves when the running turn has been answered. The servers end on their own time. */
  readonly close: (open: OpenSession) => Promise<void>;
  /** Ends all of them. Resolves when nothing is left. */
  readonly closeAll: () => Promise<void>;
}

export interface SessionsDeps {
  readonly agent: Agent;
  readonly writer: Writer;
  readonly traits: () => ClientTraits;
  readonly canLogIn: () => boolean;
  readonly turnCode: Pick<Later<TurnCode>, "use">;
  readonly limits: ShellLimits;
  readonly log: Log;
}

/** 32 random bits. */
const hexHalf = (): string =>
  Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");

/**
 * `prefix` and 64 random bits. Unique, but no secret, as nobody else can write to our stdin: V8's generator, which Node seeds
 * for each process, will do, and spares the first session the loading of `node:crypto`.
 */
export const hexId = (prefix: string): string => `${prefix}_${hexHalf()}${hexHalf()}`;

const isDirectory = async (folder: string): Promise<boolean> =>
  stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

export const createSessions = (deps: SessionsDeps): Sessions => {
  const { agent, writer, traits, turnCode, limits, log } = deps;
  const opened = new Map<string, OpenSession>();
  const openings = createOpenings(limits.sessionNewMs);
  const leaving = createLeaving();
  const idleTimers = createIdleTimers(limits.sessionIdleTimeoutSeconds);

  const clientOf = (id: string, outlet: Outlet): SessionClient => ({
    publish: outlet.publish,
    askPermission: async (question, signal) =>
      new Promise((resolve) => {
        turnCode.use(({ askPermission }) => {
          resolve(askPermission(id, question, signal));
        });
      }),
    whenDrained: async (signal) => writer.whenBelow(limits.unsentBytesMax, signal),
  });

  const start = async (request: Omit<OpenRequest, "sessionId">): Promise<Either<RpcError, OpenSession>> => {
    // A wrong one would only show when the first server fails. In another thread: it may lie on a mount that never answers.
    if (!(await isDirectory(request.cwd)))
      return left(invalidParams("session/new", "cwd must be a directory that exists"));
    const id = hexId("ses");
    const outlet = createOutlet({ sessionId: id, writer, traits, turnCode, heartbeatMs: limits.heartbeatMs, log });
    const answer = await agent.open({ ...request, sessionId: id }, clientOf(id, outlet));
    if (isLeft(answer)) return left((await import("./sessionErrors.js")).notOpened(answer.left, deps.canLogIn()));
    const open: OpenSession = { id, session: answer.right, outlet, prompts: new Set() };
    opened.set(id, open);
    idle(open);
    return right(open);
  };

  /** Agents promise not to reject. Should one, the client gets its answer all the same. */
  const startSafely: typeof start = async (request) =>
    start(request).catch((fault: unknown) => {
      log("error", "a session could not be opened for a fault of our own", { fault: String(fault) });
      return left(internalError("session/new: internal error"));
    });

  const idle = (open: OpenSession): void => {
    if (open.prompts.size > 0 || !opened.has(open.id)) return;
    idleTimers.start(open.id, () => {
      log("info", "closing an idle session", { session: open.id });
      void close(open, { drainMs: limits.cancelDrainMs, graceMs: limits.serverEndMs });
    });
  };

  const close = async (open: OpenSession, times: EndTimes): Promise<void> => {
    opened.delete(open.id);
    idleTimers.stop(open.id);
    await leaving.add(open.session, times, open.outlet.mute);
  };

  return {
    open: (request, answer) => {
      const { maxSessions } = limits;
      if (opened.size + openings.count() >= maxSessions) {
        const fault = `at most ${maxSessions} sessions may be open`;
        return answer(left(invalidParams("session/new", fault, "tooManySessions")));
      }
      return openings.start(async (signal) => {
        answer(await startSafely({ ...request, signal }));
      });
    },
    find: (id) => (typeof id === "string" ? opened.get(id) : undefined),
    prompting: (request) => {
      const id = requestId(request);
      if (id === undefined) return undefined;
      const key = idKey(id);
      return [...opened.values()].find(({ prompts }) => [...prompts].some((prompt) => prompt.key === key));
    },
    prompt: (open, request, { text, blocks }, answer) => {
      const prompt = { key: idKey(request) };
      open.prompts.add(prompt);
      open.outlet.turnBegan();
      idleTimers.stop(open.id);
      const answered = (outcome: PromptAnswer): void => {
        open.prompts.delete(prompt);
        if (open.prompts.size === 0) open.outlet.turnOver();
        answer(outcome);
        idle(open);
      };
      open.session.prompt(hexId("run"), text, answered, blocks);
    },
    close: async (open) => close(open, { drainMs: limits.cancelDrainMs, graceMs: limits.serverEndMs }),
    closeAll: async () => {
      const times = { drainMs: limits.shutdownDrainMs, graceMs: limits.shutdownServerEndMs };
      const closeOpened = async (): Promise<void> => {
        await Promise.all([...opened.values()].map(async (open) => close(open, times)));
      };
      // A request that came in the same write as the end of input is still answered, if that is soon.
      await Promise.all([leaving.hurry(times), closeOpened(), openings.finish(times.drainMs)]);
      await closeOpened();
      await leaving.hurry(times);
    },
  };
};
