/** The agent as a child whose three streams and end are the proxy's own, byte for byte. */
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Output } from "../stdio/guard.js";

/** What sees the bytes go by. */
export interface Watch {
  readonly fromClient: (chunk: Uint8Array) => void;
  readonly fromAgent: (chunk: Uint8Array) => Promise<void> | undefined;
}

export interface ProxyOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: Readable;
  /** Makes the other end's writes fail. */
  readonly closeInput: () => void;
  readonly output: Output;
  readonly watch: Watch;
}

export type ProxyEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: NodeJS.Signals }
  | { readonly kind: "notStarted"; readonly reason: string };

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const satisfies NodeJS.Signals[];

const bytes = (chunk: unknown): Uint8Array => (chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk)));

/** Resolves with false when the other end is gone. */
const write = async (stream: Writable, chunk: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => {
    stream.write(chunk, (fault) => {
      resolve(fault === undefined || fault === null);
    });
  });

const passIn = async ({ input, closeInput, watch }: ProxyOptions, agent: Writable): Promise<void> => {
  agent.on("error", () => undefined);
  // The agent has closed its end: so do we, that the client learns of it as it would from the agent itself.
  agent.once("close", closeInput);
  try {
    for await (const chunk of input) {
      watch.fromClient(bytes(chunk));
      if (!(await write(agent, bytes(chunk)))) break;
    }
  } catch {
    // The client's end broke: for the agent its input is over.
  }
  agent.end();
};

/** Whether the agent's output is being passed on, and when it last was, in milliseconds of the process's clock. */
interface Flow {
  busy: boolean;
  lastMs: number;
}

const passOut = async (agent: Readable, output: Output, watch: Watch, flow: Flow): Promise<void> => {
  // Nobody reads any more: the agent's next write is to fail as it would without us.
  output.onClosed(() => agent.destroy());
  try {
    for await (const chunk of agent) {
      flow.busy = true;
      const held = watch.fromAgent(bytes(chunk));
      if (held !== undefined) await held;
      // One chunk at a time, so that a slow client slows the agent and not our memory.
      await new Promise<void>((resolve) => {
        output.write(bytes(chunk), () => {
          resolve();
        });
      });
      flow.busy = false;
      flow.lastMs = performance.now();
    }
  } catch {
    // Destroyed by us, or broken; either way it is over.
  }
};

const exitOf = async (child: ChildProcess): Promise<ProxyEnd> =>
  new Promise((resolve) => {
    child.once("error", (fault) => {
      if (child.pid === undefined) resolve({ kind: "notStarted", reason: fault.message });
    });
    child.once("exit", (code, signal) => {
      resolve(signal === null ? { kind: "exited", code: code ?? 1 } : { kind: "killed", signal });
    });
  });

/** Runs the agent to its end. What it wrote has been passed on by then. */
export const runProxy = async (options: ProxyOptions): Promise<ProxyEnd> => {
  const { command, args, output, watch } = options;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = exitOf(child);
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  const flow: Flow = { busy: false, lastMs: performance.now() };
  const out = passOut(child.stdout, output, watch, flow);
  void passIn(options, child.stdin);
  const end = await ended;
  await Promise.race([out, quiet(flow)]);
  for (const signal of FORWARDED) process.off(signal, forward);
  return end;
};

const QUIET_MS = 200;

/** What the agent had written is passed on. Its pipe may stay open for ever: a process that it started may hold it. */
const quiet = async (flow: Flow): Promise<void> => {
  const sinceMs = performance.now();
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (flow.busy || performance.now() - Math.max(sinceMs, flow.lastMs) < QUIET_MS) return;
      clearInterval(timer);
      resolve();
    }, QUIET_MS / 4);
  });
};
