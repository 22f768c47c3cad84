/** Sessions on their way out: the client has forgotten them, their turns drain, what they have started is being ended. */
import type { AgentSession } from "./agent.js";

export interface Leaving {
  /** Resolves when the running turn has been answered; the servers end behind it, and `hurry` waits for them. */
  readonly add: (session: AgentSession, times: EndTimes, settled: () => void) => Promise<void>;
  /** The agent ends: all of them have this long. Resolves when nothing is left. */
  readonly hurry: (times: EndTimes) => Promise<void>;
}

export interface EndTimes {
  /** How long running tools may take. */
  readonly drainMs: number;
  /** Before TERM, and again before KILL. */
  readonly graceMs: number;
}

export const createLeaving = (): Leaving => {
  const leaving = new Map<AgentSession, Promise<void>>();

  /** Servers that are ended answer what a tool still waits for, so a drain that was to be longer ends as well. */
  const hurryOne = async (
    session: AgentSession,
    ended: Promise<void>,
    { drainMs, graceMs }: EndTimes,
  ): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainMs);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
    await session.end(graceMs);
    await ended;
  };

  return {
    add: async (session, { drainMs, graceMs }, settled) => {
      const settling = session.settle(drainMs).then(settled);
      const ended = settling.then(async () => session.end(graceMs));
      leaving.set(session, ended);
      void ended.then(() => leaving.delete(session));
      await settling;
    },
    hurry: async (times) => {
      await Promise.all([...leaving].map(async ([session, ended]) => hurryOne(session, ended, times)));
    },
  };
};
