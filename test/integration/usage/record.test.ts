// `turnfold usage record`: transparent whatever happens, and a ledger that loses nothing but a turn in flight.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isLeft } from "fp-ts/lib/Either.js";
import { some } from "fp-ts/lib/Option.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentName } from "../../../src/shell/cli/usageRecord.js";
import { deliver, withLedger } from "../../../src/shell/ledger/ledger.js";
import { countWaiting } from "../../../src/shell/ledger/outbox.js";
import { groupParts, readParts } from "../../../src/shell/ledger/query.js";
import { priceList } from "../../../src/usage/price.js";
import { emptyScope, type Scope } from "../../../src/usage/scope.js";
import { processesWith } from "../../support/processes.js";
import { startProgram } from "../../support/program.js";
import { sqlitePeer } from "../../support/sqlitePeer.js";
import { until } from "../../support/until.js";

const sqlite = await sqlitePeer();
const countingAgent = fileURLToPath(new URL("countingAgent.mjs", import.meta.url));

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "turnfold-record-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

let ledgers = 0;
const newLedger = (): string => {
  ledgers += 1;
  return path.join(folder, `ledger${ledgers}`, "usage.sqlite");
};

const record = (ledger: string, agent: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startProgram(["usage", "record", "--ledger", ledger, "--", ...agent], {
    env: { PATH: process.env["PATH"], ...sqlite?.env, ...env },
  });

interface Heard {
  readonly out: Buffer;
  readonly err: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Everything that comes until the end. */
const hear = async (child: ReturnType<typeof record>): Promise<Heard> => {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { out: Buffer.concat(out), err: Buffer.concat(err).toString(), code, signal };
};

/** An agent from the text of a program. */
const script = (text: string): readonly string[] => [process.execPath, "-e", text];

const sums = (ledger: string): Scope => {
  const scope = withLedger(ledger, (database) =>
    groupParts(readParts(database, priceList([]), { since: undefined, byDay: false }), () => "all").get("all"),
  );
  if (isLeft(scope)) throw new Error(scope.left);
  return scope.right ?? emptyScope;
};

test.each<[string, readonly string[], string]>([
  ["/usr/bin/goose", ["acp"], "goose"],
  ["npx", ["-y", "@zed-industries/claude-code-acp@0.5.1"], "claude-code-acp"],
  ["npx", ["@zed-industries/codex-acp"], "codex-acp"],
  ["node", ["--no-warnings", "dist/turnfold.js"], "turnfold"],
  ["node", [], "node"],
])("the agent of %s %j is %s", (command, args, name) => {
  expect(agentName(command, args)).toBe(name);
});

describe("the proxy", () => {
  test("passes bytes on as they are, both ways, whatever they are", async () => {
    const bytes = Buffer.alloc(3_000_000);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
    const child = record(newLedger(), script("process.stdin.pipe(process.stdout)"));
    const heard = hear(child);
    child.stdin.end(bytes);
    const { out, code } = await heard;
    expect(out.equals(bytes)).toBe(true);
    expect(code).toBe(0);
  });

  test("passes on a line without end, a frame over the limit and broken UTF-8, and goes on reading behind them", async () => {
    const ledger = newLedger();
    const file = path.join(folder, "noise");
    const long = Buffer.alloc(17 * 1024 * 1024, 0x61);
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}\n';
    const usage =
      '{"jsonrpc":"2.0","method":"_goose/unstable/session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","accumulatedInputTokens":7,"accumulatedOutputTokens":1}}}\n';
    const noise = Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), long, Buffer.from(`\n${usage}${answer}{"no end`)]);
    writeFileSync(file, noise);
    const child = record(
      ledger,
      script(
        `process.stdin.once("data", () => require("fs").createReadStream(${JSON.stringify(file)}).pipe(process.stdout))`,
      ),
    );
    const heard = hear(child);
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}\n');
    const { out, err } = await heard;
    expect(out.equals(noise)).toBe(true);
    expect(err).toBe("turnfold usage: a frame over 16777216 bytes was not looked into\n");
    // Nothing was seen of the session's beginning, so the turn's own counts are unknown; that it took place is not.
    expect(sqlite === undefined ? 1 : await delivered(ledger)).toBe(1);
  });

  test("exits as the agent does", async () => {
    expect((await hear(record(newLedger(), script("process.exit(42)")))).code).toBe(42);
    const killed = await hear(record(newLedger(), script('process.kill(process.pid, "SIGKILL")')));
    expect(killed.code).toBe(128 + 9);
  });

  test("passes signals on", async () => {
    const child = record(
      newLedger(),
      script('process.on("SIGTERM", () => process.exit(5)); setInterval(() => {}, 1e6); console.log("up")'),
    );
    const heard = hear(child);
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect((await heard).code).toBe(5);
  });

  test("passes the agent's stderr on as it is", async () => {
    const { err } = await hear(record(newLedger(), script('process.stderr.write("half a line")')));
    expect(err).toBe("half a line");
  });

  test("an agent that cannot be started is one line and 127", async () => {
    const { err, code, out } = await hear(record(newLedger(), [path.join(folder, "no-such-agent")]));
    expect([code, out.length]).toEqual([127, 0]);
    expect(err).toMatch(/^turnfold usage: the agent could not be started: .*ENOENT\n$/);
  });

  test("an agent that closes its stdin makes the client's writes fail, and its output still comes", async () => {
    const child = record(
      newLedger(),
      script('require("fs").closeSync(0); setTimeout(() => console.log("late"), 1000)'),
    );
    const broken = once(child.stdin, "error");
    child.stdin.on("error", () => undefined);
    const writing = setInterval(() => child.stdin.write("x".repeat(1000)), 5);
    const heard = hear(child);
    await broken;
    clearInterval(writing);
    // The client has learnt of it while the agent still runs.
    expect(child.exitCode).toBeNull();
    expect((await heard).out.toString()).toBe("late\n");
  });

  test("a client that stops reading ends the agent's writing, not the proxy's memory", async () => {
    const child = record(
      newLedger(),
      script(
        'process.stdout.on("error", (e) => { require("fs").writeSync(2, e.code); process.exit(3); }); setInterval(() => process.stdout.write("y".repeat(65536)), 1)',
      ),
    );
    await once(child.stdout, "data");
    child.stdout.destroy();
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect([code, err]).toEqual([3, "EPIPE"]);
  });

  // Directly connected, the two directions do not wait for each other; nor may they here.
  test("a client that does not read can still write", async () => {
    const child = record(
      newLedger(),
      script(
        'process.stdout.write("y".repeat(5e6)); let n = 0; process.stdin.on("data", (d) => { n += d.length; if (n === 5e6) require("fs").writeSync(2, "all"); })',
      ),
    );
    child.stdout.pause();
    const told = once(child.stderr, "data");
    child.stdin.write("x".repeat(5e6));
    expect(String((await told)[0])).toBe("all");
    const heard = hear(child);
    child.stdout.resume();
    child.stdin.end();
    expect((await heard).out).toHaveLength(5e6);
  });

  test("a process that the agent leaves behind does not keep the proxy", async () => {
    const child = record(
      newLedger(),
      script(
        'require("child_process").spawn("sleep", ["3"], { stdio: ["ignore", "inherit", "ignore"] }); console.log("bye"); process.exit(0)',
      ),
    );
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.resume();
    const [code] = (await once(child, "exit")) as [number];
    expect([code, out]).toEqual([0, "bye\n"]);
  });

  test("a ledger that cannot be written is one line, whatever the number of turns, and the session goes on", async () => {
    const blocked = path.join(folder, "blocked");
    writeFileSync(blocked, "a file where a folder should be");
    const client = startCounting(path.join(blocked, "usage.sqlite"));
    await client.turns(3);
    expect(await client.end()).toBe(0);
    expect(
      client
        .stderr()
        .split("\n")
        .filter((line) => line !== ""),
    ).toHaveLength(1);
    expect(client.stderr()).toMatch(/^turnfold usage: a turn was not recorded: /);
  });

  test.each([
    [["record"], "record needs an agent behind --"],
    [["record", "--nonsense", "--", "x"], "nonsense"],
    [["what"], 'there is no "what"'],
    [[], "record, report or rebuild?"],
  ])("a wrong use (%j) exits 2", async (args, says) => {
    const child = startProgram(["usage", ...args]);
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect(code).toBe(2);
    expect(err).toContain(says);
  });
});

/** Drains the outbox; the number of turns in the ledger. Deliveries of proxies that are gone may still be at it. */
const delivered = async (ledger: string): Promise<number> => {
  for (let tries = 1; ; tries += 1) {
    const done = await deliver(ledger);
    if (!isLeft(done)) return sums(ledger).reports;
    if (tries === 10 || !done.left.includes("is locked")) throw new Error(done.left);
  }
};

interface Counting {
  readonly child: ChildProcess;
  /** Prompts that were answered so far. */
  readonly answered: () => number;
  readonly stderr: () => string;
  readonly prompt: () => Promise<void>;
  readonly turns: (count: number) => Promise<void>;
  /** Closes stdin; the exit code. */
  readonly end: () => Promise<number | null>;
}

const startCounting = (ledger: string, env: Readonly<Record<string, string>> = {}): Counting => {
  const child = record(ledger, [process.execPath, countingAgent], env);
  let [answered, asked, err] = [0, 1, ""];
  child.stdin.on("error", () => undefined);
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const waiting = new Map<number, () => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id } = JSON.parse(line) as { id?: number };
    if (id === undefined) return;
    if (id > 1) answered += 1;
    waiting.get(id)?.();
  });
  const exited = once(child, "close");
  const send = async (method: string, params: object): Promise<void> => {
    const id = asked;
    asked += 1;
    const answer = new Promise<void>((resolve) => {
      waiting.set(id, resolve);
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    await Promise.race([answer, exited]);
  };
  const opened = send("session/new", { cwd: "/", mcpServers: [] });
  const prompt = async (): Promise<void> => {
    await opened;
    await send("session/prompt", { sessionId: "s1", prompt: [] });
  };
  return {
    child,
    answered: () => answered,
    stderr: () => err,
    prompt,
    turns: async (count) => {
      for (let turn = 0; turn < count; turn += 1) await prompt();
    },
    end: async () => {
      child.stdin.end();
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
};

describe.skipIf(sqlite === undefined)("the ledger", () => {
  test("has every turn of several proxies that run at the same time, and gets them while they run", async () => {
    const ledger = newLedger();
    const clients = [startCounting(ledger), startCounting(ledger), startCounting(ledger)];
    await Promise.all(clients.map((client) => client.turns(5)));
    await until("delivery while the proxies run", () => existsSync(ledger), 20_000);
    expect(await Promise.all(clients.map((client) => client.end()))).toEqual([0, 0, 0]);
    expect(clients.map((client) => client.stderr())).toEqual(["", "", ""]);
    expect(await delivered(ledger)).toBe(15);
    expect(await countWaiting(ledger)).toBe(0);
    expect(sums(ledger)).toMatchObject({
      input: { value: some(150n), incomplete: false },
      output: { value: some(45n) },
      gaps: 0,
    });
  });

  // A turn whose answer the client has is in the outbox; a delivery that was cut off is done again and counts once.
  test("after 200 kills at random moments under load: every answered turn, none twice", async () => {
    const ledger = newLedger();
    let random = 20260901;
    const next = (below: number): number => {
      random = (random * 1103515245 + 12345) % 2 ** 31;
      return random % below;
    };
    let [answered, started] = [0, 0];
    const round = async (): Promise<void> => {
      const mark = randomUUID();
      const client = startCounting(ledger, { TURNFOLD_TEST_MARK: mark });
      const turns = next(12);
      const last = (async () => {
        await client.turns(turns);
        // In the middle of the last turn, or of writing it down, or of delivering what came before.
        await client.prompt();
      })();
      await until("start", () => client.answered() > 0 || client.child.exitCode !== null, 60_000);
      await new Promise((resolve) => setTimeout(resolve, next(40)));
      client.child.kill("SIGKILL");
      // The process that was just writing the ledger dies with it every other time.
      if (next(2) === 0) processesWith(mark).forEach(kill);
      await last;
      answered += client.answered();
      started += turns + 1;
    };
    for (let kills = 0; kills < 200; kills += 4) await Promise.all([round(), round(), round(), round()]);
    const turns = await delivered(ledger);
    const { input, output, gaps } = sums(ledger);
    expect(turns).toBeGreaterThanOrEqual(answered);
    expect(turns).toBeLessThanOrEqual(started);
    // Each turn is 10 and 3: nothing was counted twice, and nothing half.
    expect([input, output, gaps]).toEqual([
      { value: some(BigInt(turns * 10)), incomplete: false },
      { value: some(BigInt(turns * 3)), incomplete: false },
      0,
    ]);
    const integrity = withLedger(ledger, (database) => database.all("PRAGMA integrity_check"));
    expect(integrity).toMatchObject({ right: [{ integrity_check: "ok" }] });
  }, 600_000);
});
