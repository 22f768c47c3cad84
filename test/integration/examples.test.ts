// The examples are promises: each is run as a reader would run it, against the built package.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "turnfold-examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (
  ...argv: readonly string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync(process.execPath, argv, { cwd: root, encoding: "utf8" });

test("embedding the loop shows a turn from its start to its answer", () => {
  const { status, stdout, stderr } = node("examples/embed.mjs");
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
  expect(lines[0]).toBe("turnStarted");
  expect(lines).toContain("toolAnnounced count");
  expect(lines).toContain("messageSaid It has eight letters.");
  expect(lines.at(-1)).toBe("answered end_turn");
});

test("the sweep prints each policy with its cost and its difference", () => {
  const { status, stdout } = node("examples/sweep.mjs");
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^policy\.maxHandoffs=0: \$0\.\d{3} a session; /);
  expect(lines[3]).toMatch(/^policy\.maxHandoffs=10: .* against the first; /);
});

test("the invariant finds the planted bug, and turnfold replay shows what is left of it", () => {
  const { status, stdout, stderr } = node("examples/invariant.mjs");
  expect(status).toBe(0);
  expect(stderr).toMatch(/^noCallIsLeftRunning: left running: t\d+r\d+c\d+/);
  // Shrunk: a catalogue, a prompt, a reply with a call, a cancel or an outcome that says so, and little more.
  const events = Number(/^(\d+) events are left$/m.exec(stderr)?.[1]);
  expect(events).toBeLessThanOrEqual(8);
  const file = path.join(folder, "found.ndjson");
  writeFileSync(file, stdout);
  const replayed = node("dist/turnfold.js", "replay", file);
  expect(replayed.status).toBe(0);
  expect(replayed.stdout).toMatch(/^ {2}call t\d+r\d+c\d+ /m);
  expect(replayed.stderr).toContain(`${events} events replayed`);
});

test("the scenario can be simulated", () => {
  const out = path.join(folder, "results");
  const { status, stdout } = node(
    "dist/turnfold.js",
    "simulate",
    "examples/scenario.json",
    "--sessions",
    "4",
    "--out",
    out,
  );
  expect(status).toBe(0);
  expect(stdout).toContain("4 sessions");
});
