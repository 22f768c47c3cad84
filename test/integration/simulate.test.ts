// `turnfold simulate` as a user runs it: the built program, real threads, real files.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { everyFault } from "../unit/simulation/scenarios.js";

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
