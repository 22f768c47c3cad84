/**
 * The one place in which tests start the program. A secret that a run was given may be in nothing that it writes: neither in its
 * stdout and stderr, which hold every error text, nor in any file below the temporary folders that it was told of (record,
 * ledger, logins, HOME). Each run is judged while it goes and when it ends, and what was found fails its test file (F55).
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const program = fileURLToPath(new URL("../../dist/turnfold.js", import.meta.url));

/** The least that the agent starts in: nothing of the machine's own settings leaks into a test. */
export const bareEnvironment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: mkdtempSync(path.join(tmpdir(), "turnfold-home-")),
});

type Variables = Readonly<Record<string, string | undefined>>;

/** By its name. A shorter value would be found in ordinary words. */
const secretsIn = (variables: Variables): readonly string[] =>
  Object.entries(variables).flatMap(([name, value = ""]) =>
    /(?:API_KEY|PRIVATE_KEY|TOKEN|SECRET|PASSWORD)$/u.test(name) && value.length >= 8 ? [value] : [],
  );

/** "" for a file that is gone by now, or was last written to before `sinceMs`. */
const writtenSince = (sinceMs: number, file: string): string => {
  try {
    return statSync(file).mtimeMs < sinceMs ? "" : readFileSync(file, "latin1");
  } catch {
    return "";
  }
};

const filesBelow = (where: string): readonly string[] => {
  if (!existsSync(where)) return [];
  if (statSync(where).isFile()) return [where];
  return readdirSync(where, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
};

export interface ProgramOptions {
  readonly env?: Variables;
  readonly cwd?: string;
  /** In place of `node dist/turnfold.js`. */
  readonly command?: readonly string[];
}

export interface Run {
  readonly child: ChildProcessWithoutNullStreams;
  /** Variables that the run gets in another way, for one of its servers. */
  readonly isGiven: (variables: Variables) => void;
}

/** Where secrets were found, and never which. */
const leaks = new Set<string>();
const running = new Set<ChildProcessWithoutNullStreams>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** What has leaked so far, which is then forgotten. */
export const takeLeaks = (): readonly string[] => {
  const found = [...leaks];
  leaks.clear();
  return found;
};

afterAll(async () => {
  const ended = [...running].map(async (child) => once(child, "close"));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(ended);
  const found = takeLeaks();
  if (found.length > 0) throw new Error(`secrets in:\n${found.join("\n")}`);
});

/** Its output flows from the start: whoever wants it listens at once, and who does not want to read pauses it. */
export const startRun = (args: readonly string[], options: ProgramOptions = {}): Run => {
  const { env = bareEnvironment(), command: [command = "", ...prefix] = [process.execPath, program] } = options;
  const startedMs = Date.now();
  const secrets = new Set(secretsIn(env));
  const what = `${args.join(" ")} (${path.basename(command)})`;
  const judge = (text: string, where: string): void => {
    if ([...secrets].some((secret) => text.includes(secret))) leaks.add(`${where} of ${what}`);
  };

  const child = spawn(command, [...prefix, ...args], {
    env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const listen = (stream: Readable, where: string): void => {
    let before = "";
    stream.on("data", (chunk: unknown) => {
      const text = before + String(chunk);
      judge(text, where);
      // A secret may be cut by the end of the chunk.
      before = text.slice(-Math.max(0, ...[...secrets].map(({ length }) => length)));
    });
  };
  listen(child.stdout, "stdout");
  listen(child.stderr, "stderr");

  running.add(child);
  child.once("close", () => {
    running.delete(child);
    const told = [...args, ...Object.values(env)].filter((each) => each?.startsWith(tmpdir()));
    for (const file of told.flatMap((each) => filesBelow(each ?? ""))) judge(writtenSince(startedMs, file), file);
  });
  return {
    child,
    isGiven: (variables) => {
      for (const secret of secretsIn(variables)) secrets.add(secret);
    },
  };
};

export const startProgram = (args: readonly string[], options: ProgramOptions = {}): ChildProcessWithoutNullStreams =>
  startRun(args, options).child;
