/** The way into a channel: the `buzz` program, if there is one (`spec/memory-agent-and-harness.md` 1.13). */
import { spawn, type ChildProcess } from "node:child_process";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import { isSome } from "fp-ts/lib/Option.js";
import { assertNever } from "../../../core/never.js";
import { oneLine } from "../../../core/text.js";
import type { ReplyTarget } from "./contextBlock.js";

export interface ReplySink {
  /** Whether there is a program to post with; found out once. Never rejects. */
  readonly available: () => Promise<boolean>;
  /** Posts once, no retry: a post that was said to have failed may have arrived. Left: why not, one line. Never rejects. */
  readonly send: (target: ReplyTarget, body: string, signal: AbortSignal) => Promise<Either<string, void>>;
}

export interface BuzzCli {
  /** Name or path. */
  readonly program: string;
  readonly probeMs: number;
  readonly postMs: number;
  /** Its environment, in which it finds its key and relay. */
  readonly env: NodeJS.ProcessEnv;
  readonly redact: (text: string) => string;
}

const ERROR_TEXT_BYTES_MAX = 500;
const LAST_WORDS_MS = 200;

type Ended =
  | { readonly kind: "exited"; readonly code: number | null; readonly stderr: string }
  | { readonly kind: "notStarted"; readonly why: string }
  | { readonly kind: "timedOut" };

/** Until the process has exited, or has been killed because its time was over or nobody waits any more. */
const ended = async (child: ChildProcess, ms: number, signal?: AbortSignal): Promise<Ended> =>
  new Promise((resolve) => {
    let stderr = "";
    const kill = (): void => {
      child.kill("SIGKILL");
      settle({ kind: "timedOut" });
    };
    const timer = setTimeout(kill, ms);
    const settle = (end: Ended): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      // A grandchild may hold the pipes open for as long as it likes.
      child.stderr?.destroy();
      resolve(end);
    };
    signal?.addEventListener("abort", kill, { once: true });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < ERROR_TEXT_BYTES_MAX) stderr += text;
    });
    child.on("error", (fault: NodeJS.ErrnoException) => {
      settle({ kind: "notStarted", why: fault.code ?? "error" });
    });
    child.on("exit", (code) => {
      const exited = (): void => {
        settle({ kind: "exited", code, stderr });
      };
      // What it said last may come behind its end; whoever else holds its stderr open is not waited for.
      child.on("close", exited);
      setTimeout(exited, LAST_WORDS_MS).unref();
    });
  });

const sent = (end: Ended, postMs: number, redact: (text: string) => string): Either<string, void> => {
  switch (end.kind) {
    case "exited": {
      if (end.code === 0) return right(undefined);
      const said = redact(oneLine(end.stderr, ERROR_TEXT_BYTES_MAX)) || "no stderr";
      return left(`buzz messages send exited with ${end.code ?? -1}: ${said}`);
    }
    case "notStarted":
      return left(`buzz messages send could not be started (${end.why})`);
    case "timedOut":
      return left(`buzz messages send did not end within ${postMs / 1000} s`);
    default:
      return assertNever(end);
  }
};

export const createBuzzSink = ({ program, probeMs, postMs, env, redact }: BuzzCli): ReplySink => {
  let probed: Promise<boolean> | undefined;
  const probe = async (): Promise<boolean> => {
    const end = await ended(spawn(program, ["--help"], { stdio: "ignore", env }), probeMs);
    return end.kind === "exited" && end.code === 0;
  };
  return {
    available: async () => (probed ??= probe()),
    send: async ({ channel, replyTo }, body, signal) => {
      if (signal.aborted) return left("cancelled");
      const anchor = isSome(replyTo) ? ["--reply-to", replyTo.value] : [];
      const argv = ["messages", "send", "--channel", channel, ...anchor, "--content", "-"];
      const child = spawn(program, argv, { stdio: ["pipe", "ignore", "pipe"], env });
      const end = ended(child, postMs, signal);
      // A program that does not read what it is given tells so by its exit code.
      child.stdin.on("error", () => undefined).end(body);
      return sent(await end, postMs, redact);
    },
  };
};
