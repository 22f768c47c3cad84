import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { none, some } from "fp-ts/lib/Option.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultPolicy, initialSession, step, type Event, type SessionConfig } from "../../../src/core/index.js";
import { runReplay } from "../../../src/shell/cli/replay.js";
import { startRecorder } from "../../../src/shell/record/recorder.js";
import { version } from "../../../src/shell/version.js";

const config: SessionConfig = {
  id: "ses_1",
  policy: defaultPolicy,
  system: "sys",
  settings: {
    model: "m",
    effort: none,
    windowTokens: 200_000,
    maxOutputTokens: 1000,
    authority: some("api.openai.com"),
  },
};

const events: readonly Event[] = [
  { type: "catalogChanged", tools: [], hooks: [], complete: true },
  { type: "promptReceived", request: "1", runId: "run_1", text: "hello\nthere" },
  {
    type: "modelReplied",
    effect: 1,
    turn: 1,
    attempts: { tries: 1, waitedMs: 0 },
    reply: {
      text: "an answer \u001b[31mred",
      reasoning: "",
      calls: [],
      stop: { kind: "end" },
      usage: {
        input: { kind: "exact", tokens: 18446744073709551615n },
        output: some(7n),
        cacheRead: none,
        cacheWrite: none,
        total: none,
      },
      replay: none,
    },
  },
];

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnfold-record-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const record = async (into: string): Promise<readonly string[]> => {
  const warnings: string[] = [];
  const recorder = startRecorder({
    directory: into,
    version,
    config,
    now: new Date(0),
    warn: (message) => warnings.push(message),
  });
  let state = initialSession(config);
  for (const event of events) {
    const [next, effects] = step(state, event);
    recorder.record(event, effects);
    state = next;
  }
  await recorder.close();
  return warnings;
};

const onlyFile = async (): Promise<string> => join(directory, (await readdir(directory))[0] ?? "");

const run = async (...argv: string[]): Promise<{ code: number; out: string; err: string }> => {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runReplay(argv, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out: out.join("\n"), err: err.join("\n") };
};

describe("a record", () => {
  test("replays to the same effects, and reads as a transcript", async () => {
    expect(await record(directory)).toEqual([]);
    const { code, out, err } = await run(await onlyFile());
    expect(err).toBe("3 events replayed, the same effects came out");
    expect(code).toBe(0);
    expect(out).toContain("    hello\n    there");
    expect(out).toContain("18446744073709551615 in, 7 out");
    expect(out).not.toContain("\u001b");
  });

  test("belongs to its owner alone", async () => {
    const inner = join(directory, "records");
    await record(inner);
    directory = inner;
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
    expect((await stat(await onlyFile())).mode & 0o777).toBe(0o600);
  });

  test("shows the state after an event as JSON", async () => {
    await record(directory);
    const { code, out } = await run(await onlyFile(), "--state", "2");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: "ses_1", turns: 1, phase: { kind: "awaitingModel" } });
    expect((await run(await onlyFile(), "--state", "4")).code).toBe(2);
  });

  test("with a torn last line replays what is whole", async () => {
    await record(directory);
    const file = await onlyFile();
    const text = await readFile(file, "utf8");
    await writeFile(file, text.slice(0, -20));
    const { code, err } = await run(file);
    expect(code).toBe(0);
    expect(err).toContain("torn");
    expect(err).toContain("2 events replayed, the same effects came out");
  });

  test("that was changed is found out, at the event where it differs", async () => {
    await record(directory);
    const file = await onlyFile();
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, lines.map((line, i) => (i === 2 ? line.replace("hello", "hallo") : line)).join("\n"));
    expect((await run(file)).code).toBe(0);
    await writeFile(file, lines.map((line, i) => (i === 2 ? line.replace('"run_1"', '"run_2"') : line)).join("\n"));
    const { code, err } = await run(file);
    expect(code).toBe(1);
    expect(err).toContain("from event 2 on");
  });

  test("of another version says so and still prints", async () => {
    await record(directory);
    const file = await onlyFile();
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace(`"version":${JSON.stringify(version)}`, '"version":"0.0.1"').replace('"run_1"', '"run_2"'),
    );
    const { code, out, err } = await run(file);
    expect(code).toBe(0);
    expect(err).toContain("recorded by version 0.0.1");
    expect(out).toContain("an answer");
  });

  // Node's recursive mkdir goes round for ever in /proc and held up the end of the process; kills `recursive: true`.
  test.skipIf(process.platform !== "linux")("in a place where nothing can be made costs one warning", async () => {
    const warnings = await record("/proc/nowhere/records");
    expect(warnings).toEqual([expect.stringContaining("ENOENT")]);
  });

  test("that cannot be written costs one warning", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    const warnings = await record(join(file, "below"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("recording of session ses_1 ended");
  });

  test("is refused in one line when it is something else", async () => {
    const file = join(directory, "other");
    await writeFile(file, "{}\n");
    const { code, err } = await run(file);
    expect(code).toBe(1);
    expect(err.split("\n")).toHaveLength(1);
    expect((await run(join(directory, "none"))).code).toBe(1);
    expect((await run()).code).toBe(2);
    expect((await run(file, "--state", "x")).code).toBe(2);
  });
});
