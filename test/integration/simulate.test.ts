// `turnfold simulate` as a user runs it: the built program, real threads, real files.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { some } from "fp-ts/lib/Option.js";
import { FIRST_DIGEST, headerCodec, lineCodec, nextDigest } from "../../src/shell/record/format.js";
import { filler } from "../../src/simulation/filler.js";
import { simulateSession, stageOf, type Scenario } from "../../src/simulation/index.js";
import { everyFault, scenarioOf } from "../unit/simulation/scenarios.js";

const program = fileURLToPath(new URL("../../dist/turnfold.js", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "turnfold-simulate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const small = { ...everyFault, user: { ...everyFault.user, turns: 1 } };
const scenarioFile = (name: string, value: unknown): string => {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(value));
  return file;
};
const scenario = scenarioFile("small", small);
const out = (name: string): string => path.join(folder, name);
const read = (name: string, file: string): string => readFileSync(path.join(out(name), file), "utf8");

interface Metrics {
  readonly digest: string;
  readonly sound: boolean;
  readonly sessions: number;
  readonly variants: readonly {
    readonly name: string;
    readonly measures: Readonly<Record<string, { readonly mean: number }>>;
    readonly againstFirst: Readonly<Record<string, { readonly mean: number; readonly halfWidth95: number }>>;
  }[];
}
const metrics = (name: string): Metrics => JSON.parse(read(name, "metrics.json")) as Metrics;

const simulate = (
  ...argv: readonly string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync(process.execPath, [program, "simulate", ...argv], { encoding: "utf8" });

test("the files are the same whatever the number of workers", () => {
  const one = simulate(scenario, "--sessions", "90", "--seed", "3", "--workers", "1", "--out", out("one"));
  expect(one.stderr).toMatch(/^90 sessions in /);
  expect(one.status).toBe(0);
  expect(simulate(scenario, "--sessions", "90", "--seed", "3", "--workers", "3", "--out", out("three")).status).toBe(0);
  expect(read("three", "sessions.ndjson")).toBe(read("one", "sessions.ndjson"));
  expect(read("three", "metrics.json")).toBe(read("one", "metrics.json"));
  expect(read("three", "report.html")).toBe(read("one", "report.html"));
  expect(read("one", "report.html")).toContain(`digest <code>${metrics("one").digest}</code>`);
  expect(metrics("one")).toMatchObject({ sound: true, sessions: 90 });
  expect(one.stdout).toContain(`digest ${metrics("one").digest}`);
});

test("a run goes on from any byte at which it was cut, to the same files", () => {
  const argv = [scenario, "--sessions", "40", "--vary", "policy.maxHandoffs=0,2", "--workers", "2"];
  expect(simulate(...argv, "--out", out("whole")).status).toBe(0);
  expect(simulate(...argv, "--out", out("cut")).status).toBe(0);
  const bytes = statSync(path.join(out("cut"), "sessions.ndjson")).size;
  // In the middle of a line, and behind the first variant of a session only.
  const lines = read("cut", "sessions.ndjson").split("\n");
  for (const at of [Math.floor(bytes / 2), lines.slice(0, 67).join("\n").length + 1]) {
    truncateSync(path.join(out("cut"), "sessions.ndjson"), at);
    const again = simulate(...argv, "--out", out("cut"), "--resume");
    expect(again.status).toBe(0);
    expect(read("cut", "sessions.ndjson")).toBe(read("whole", "sessions.ndjson"));
    expect(read("cut", "metrics.json")).toBe(read("whole", "metrics.json"));
  }
});

test("an interrupted run leaves complete lines, says how far it came, and can be gone on with", async () => {
  const argv = [scenario, "--sessions", "1000000", "--workers", "1", "--out", out("interrupted")];
  const child = spawn(process.execPath, [program, "simulate", ...argv], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const written = (): number => {
    try {
      return statSync(path.join(out("interrupted"), "sessions.ndjson")).size;
    } catch {
      return 0;
    }
  };
  await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(0);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  const lines = read("interrupted", "sessions.ndjson").split("\n");
  expect(lines.pop()).toBe("");
  expect(stderr).toContain(`interrupted after ${lines.length} of 1,000,000 sessions`);
  const more = lines.length + 10;
  const again = simulate(scenario, "--sessions", String(more), "--out", out("interrupted"), "--resume");
  expect(again.status).toBe(0);
  expect(again.stderr).toMatch(/^10 sessions in /);
  expect(metrics("interrupted").sessions).toBe(more);
});

test("a sweep compares variants session by session", () => {
  const steady = scenarioFile("steady", {
    user: { turns: 1 },
    model: {
      windowTokens: 8000,
      maxOutputTokens: 1000,
      tokensPerByte: 0.5,
      toolRounds: { kind: "uniform", min: 5, max: 25 },
    },
  });
  const argv = [steady, "--sessions", "40", "--vary", "policy.maxHandoffs=0,10", "--out", out("sweep")];
  const { status, stdout } = simulate(...argv);
  expect(status).toBe(0);
  expect(stdout).toContain("policy.maxHandoffs=10");
  // Without handoffs in time the provider refuses what has become too long; with them it never has to.
  const [without, handingOver] = metrics("sweep").variants;
  expect(without?.measures["recoveries"]?.mean).toBeGreaterThan(0);
  expect(handingOver?.measures["recoveries"]?.mean).toBe(0);
  const fewer = handingOver?.againstFirst["recoveries"];
  expect(fewer?.mean).toBeLessThan(-(fewer?.halfWidth95 ?? Infinity));
});

/** A record as `TURNFOLD_RECORD` writes it, of one simulated session. */
const writeRecord = (into: string, index: number): void => {
  const config = {
    id: `s${index}`,
    policy: original.policy,
    system: filler(500),
    settings: stageOf(original).settings,
  };
  const lines: unknown[] = [headerCodec.encode({ turnfoldRecord: 1, version: "test", startedAt: "", config })];
  let digest = FIRST_DIGEST;
  simulateSession(stageOf(original), 8, index, ({ atMs, event, effects }) => {
    digest = nextDigest(digest, effects);
    lines.push(lineCodec.encode({ n: lines.length, atMs: some(atMs), event, effects: digest }));
  });
  writeFileSync(path.join(into, `${index}.ndjson`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
};

const original = scenarioOf({
  systemBytes: 500,
  user: { turns: 2 },
  model: { toolRounds: { kind: "uniform", min: 1, max: 5 }, textBytes: 321, tokensPerByte: 0.4 },
  tools: [{ name: "recorded", resultBytes: { kind: "logNormal", median: 700, sigma: 0.5 } }],
});

test("a scenario is fitted to recorded sessions, and the report says how well", () => {
  const records = mkdtempSync(path.join(folder, "records-"));
  for (let index = 0; index < 30; index++) writeRecord(records, index);
  writeFileSync(path.join(records, "other.ndjson"), "no record\n");
  const argv = [scenarioFile("empty", {}), "--sessions", "5", "--from", records, "--out", out("fitted")];
  const { status, stdout } = simulate(...argv);
  expect(status).toBe(0);
  expect(stdout).toContain("fitted to 30 recorded sessions");
  expect(stdout).toMatch(
    /^tools\.recorded\.resultBytes: logNormal median \d+\.?\d* sigma 0\.\d+ \(n \d+, largest gap \d\.\d%\)$/m,
  );
  expect(stdout).toMatch(/^other\.ndjson: the first line is not JSON/m);
  const run = JSON.parse(read("fitted", "run.json")) as {
    readonly variants: readonly [{ readonly scenario: Scenario }];
  };
  expect(run.variants[0].scenario).toMatchObject({
    model: { textBytes: 321 },
    user: { turns: 2 },
    tools: [{ name: "recorded" }],
  });
  expect(run.variants[0].scenario.model.tokensPerByte).toBeCloseTo(0.4, 2);
  expect(read("fitted", "report.html")).toContain("Fitted to records");
  const none = simulate(scenarioFile("empty", {}), "--from", folder, "--out", out("bad"));
  expect(none).toMatchObject({ status: 2, stdout: "" });
  expect(none.stderr).toContain("holds no record of a session");
});

test.each<readonly [string, readonly string[], readonly string[]]>([
  ["no scenario", ["--out", out("bad")], ["takes one scenario", "usage: turnfold simulate"]],
  ["no folder", [scenario], ["--out takes"]],
  [
    "a number that is none",
    [scenario, "--out", out("bad"), "--sessions=-4"],
    ["--sessions takes a whole number from 1"],
  ],
  ["an unknown option", [scenario, "--out", out("bad"), "--session", "4"], ["--session"]],
  ["a file that is not there", [path.join(folder, "none.json"), "--out", out("bad")], ["cannot read", "none.json"]],
  [
    "a negative rate",
    [scenarioFile("rate", { user: { cancelRate: -1 } }), "--out", out("bad")],
    ["scenario.user.cancelRate: expected a probability from 0 to 1, got -1"],
  ],
  [
    "a variation of nothing",
    [scenario, "--out", out("bad"), "--vary", "policy.maxHandofs=1"],
    ["with policy.maxHandofs=1: scenario.policy.maxHandofs: expected no such key"],
  ],
  [
    "a variation without values",
    [scenario, "--out", out("bad"), "--vary", "policy.maxHandoffs"],
    ["--vary takes PATH=A,B"],
  ],
])("%s is one line and exit code 2", (_, argv, parts) => {
  const { status, stdout, stderr } = simulate(...argv);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  for (const part of parts) expect(stderr).toContain(part);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

test("a folder that holds a run is neither overwritten nor gone on with as another one", () => {
  expect(simulate(scenario, "--sessions", "1", "--out", out("held")).status).toBe(0);
  const before = read("held", "sessions.ndjson");
  const again = simulate(scenario, "--sessions", "1", "--out", out("held"));
  expect(again).toMatchObject({ status: 2, stdout: "" });
  expect(again.stderr).toContain("holds a run already; go on with it by --resume");
  const other = simulate(scenario, "--sessions", "9", "--seed", "4", "--out", out("held"), "--resume");
  expect(other).toMatchObject({ status: 2, stdout: "" });
  expect(other.stderr).toContain("another scenario, seed or version");
  expect(read("held", "sessions.ndjson")).toBe(before);
});
