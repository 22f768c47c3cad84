/**
 * A client of our own: bytes in, lines out, and no types shared with the agent. Every line that comes is judged by the schema;
 * whoever ends the client with `end` hears of what was wrong.
 */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bareEnvironment, startRun } from "./program.js";
import { faultsOf } from "./schema.js";

/** What a test reads in a frame is judged by its expectations. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Frame = any;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Since stdin was closed by `end`, otherwise since the start. */
  readonly afterMs: number;
}

export interface RawClientOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** In place of `node dist/turnfold.js`, for strace and preloads. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  /** Answers requests of the agent as they come; undefined: no answer. */
  readonly onRequest?: (request: Frame) => unknown;
}

export interface RawClient {
  readonly process: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  /** The same, parsed. */
  readonly frames: readonly Frame[];
  readonly stderr: () => string;
  /** Writes bytes as they are. */
  readonly write: (text: string | Uint8Array) => void;
  readonly notify: (method: string, params: object) => void;
  /** Resolves with the whole response frame. */
  readonly request: (method: string, params: object, id?: unknown) => Promise<Frame>;
  /** The first frame, past or future, that satisfies `test`. */
  readonly until: (what: string, test: (frame: Frame) => boolean, ms?: number) => Promise<Frame>;
  readonly updates: (sessionId?: string) => readonly Frame[];
  readonly exited: Promise<Exit>;
  /** Closes stdin and waits. Throws if any frame so far broke a rule. */
  readonly end: () => Promise<Exit>;
}

const parse = (line: string): Frame => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** What the servers of a `session/new` are given. */
const serverVariables = (params: Frame): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [params.mcpServers ?? []]
      .flat()
      .flatMap((entry: Frame) => entry?.env ?? [])
      .map((variable: Frame) => [variable?.name, String(variable?.value)]),
  );

/** Resolves by looking again whenever something has changed. */
const createWatch = (): {
  readonly changed: () => void;
  readonly until: <A>(look: () => A | undefined, ms: number, fault: () => string) => Promise<A>;
} => {
  const looks = new Set<() => void>();
  return {
    changed: () => {
      for (const look of looks) look();
    },
    until: async (look, ms, fault) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          looks.delete(again);
        };
        const again = (): void => {
          const found = look();
          if (found === undefined) return;
          stop();
          resolve(found);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(fault()));
        }, ms);
        looks.add(again);
        again();
      }),
  };
};

export const startClient = (options: RawClientOptions = {}): RawClient => {
  const env = { ...bareEnvironment(), ...options.env };
  const { child, isGiven } = startRun(options.args ?? ["acp"], { ...options, env });
  const lines: string[] = [];
  const frames: Frame[] = [];
  const faults: string[] = [];
  const methods = new Map<string, string>();
  const watch = createWatch();
  let extensions = false;
  let asked = 0;
  let since = Date.now();
  let errors = "";
  child.stdin.on("error", () => undefined);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
    watch.changed();
  });

  createInterface({ input: child.stdout, crlfDelay: Infinity }).on("line", (line) => {
    lines.push(line);
    const methodOf = (id: unknown): string | undefined => methods.get(JSON.stringify(id));
    faults.push(...faultsOf(line, methodOf, extensions).map((fault) => `${fault}: ${line.slice(0, 500)}`));
    const frame = parse(line);
    if (frame === undefined) return;
    frames.push(frame);
    const answer = frame.method !== undefined && frame.id !== undefined ? options.onRequest?.(frame) : undefined;
    if (answer !== undefined) write(`${JSON.stringify({ jsonrpc: "2.0", id: frame.id, result: answer })}\n`);
    watch.changed();
  });

  const exited = once(child, "exit").then(([code, signal]: unknown[]): Exit => {
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, afterMs: Date.now() - since };
  });
  const write = (text: string | Uint8Array): void => {
    child.stdin.write(text);
  };
  const until: RawClient["until"] = async (what, test, ms = 15_000) => {
    let seen = 0;
    const look = (): Frame => {
      while (seen < frames.length) {
        seen += 1;
        if (test(frames[seen - 1])) return frames[seen - 1];
      }
      return undefined;
    };
    return watch.until(look, ms, () => `no ${what} in ${ms} ms\n${lines.slice(-5).join("\n")}\n${errors.slice(-2000)}`);
  };

  return {
    process: child,
    lines,
    frames,
    stderr: () => errors,
    write,
    notify: (method, params) => {
      write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
    },
    request: async (method, params, id) => {
      asked += 1;
      const own = JSON.stringify(id ?? `raw-${asked}`);
      const text = JSON.stringify(params);
      methods.set(own, method);
      if (method === "session/new") isGiven(serverVariables(params));
      extensions ||= method === "initialize" && /"customNotifications":true|"protocolVersion":2\b/u.test(text);
      write(`{"jsonrpc":"2.0","id":${own},"method":${JSON.stringify(method)},"params":${text}}\n`);
      return until(`answer to ${method}`, (frame) => frame.method === undefined && JSON.stringify(frame.id) === own);
    },
    until,
    updates: (sessionId) =>
      frames
        .filter((frame) => frame.method === "session/update")
        .filter((frame) => sessionId === undefined || frame.params.sessionId === sessionId)
        .map((frame): Frame => frame.params.update),
    exited,
    end: async () => {
      since = Date.now();
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
      const exit = await exited;
      clearTimeout(timer);
      if (faults.length > 0) throw new Error(`frames that break the rules:\n${faults.join("\n")}`);
      return exit;
    },
  };
};
