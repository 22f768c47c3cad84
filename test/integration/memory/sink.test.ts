import { chmodSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { left, right } from "fp-ts/lib/Either.js";
import { none, some } from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { createBuzzSink, type BuzzCli } from "../../../src/shell/memory/buzz/sink.js";
import { CHANNEL, id } from "../../support/buzzPrompt.js";
import { isAlive } from "../../support/processes.js";
import { temporaryFolder } from "../../support/sessions.js";
import { until } from "../../support/until.js";

/** A `buzz` that writes down what it is given and then does as `script` says. */
const stub = (script: string) => {
  const folder = temporaryFolder({
    buzz: `#!/bin/sh
[ "$1" = --help ] && { echo probe >> "$LOG/probes"; echo help; exit "\${PROBE:-0}"; }
echo $$ > "$LOG/pid"
for argument in "$@"; do printf '%s\\n' "$argument"; done > "$LOG/argv"
${script}
`,
  });
  const program = path.join(folder, "buzz");
  chmodSync(program, 0o755);
  const read = (name: string): string =>
    existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), "utf8") : "";
  const sink = (changed: Partial<BuzzCli> = {}) =>
    createBuzzSink({
      program,
      probeMs: 50_000,
      postMs: 50_000,
      env: { ...process.env, LOG: folder },
      redact: (text) => text.replaceAll("nsec1secret", "[redacted]"),
      ...changed,
    });
  return { sink, read, program };
};

const takeBody = 'cat > "$LOG/body"';
const target = { channel: CHANNEL, replyTo: some(id("5d")) };
const signal = new AbortController().signal;

describe("the buzz CLI", () => {
  test("is given channel and anchor as arguments and the body on stdin, byte for byte", async () => {
    const { sink, read } = stub(takeBody);
    const body = `two lines\n"quotes" $(echo no shell) 😀 ${"x".repeat(50_000)}`;
    expect(await sink().send(target, body, signal)).toEqual(right(undefined));
    expect(read("argv").trim().split("\n")).toEqual([
      "messages",
      "send",
      "--channel",
      CHANNEL,
      "--reply-to",
      id("5d"),
      "--content",
      "-",
    ]);
    expect(read("body")).toBe(body);
  });

  test("is given no anchor where there is none", async () => {
    const { sink, read } = stub(takeBody);
    await sink().send({ channel: CHANNEL, replyTo: none }, "x", signal);
    expect(read("argv")).not.toContain("--reply-to");
  });

  test("is looked for once", async () => {
    const { sink, read } = stub(takeBody);
    const one = sink();
    expect(await Promise.all([one.available(), one.available()])).toEqual([true, true]);
    expect(await one.available()).toBe(true);
    expect(read("probes")).toBe("probe\n");
  });

  test("that is not there, or fails, or hangs when asked for help is none", async () => {
    const { sink, program } = stub(takeBody);
    expect(await sink({ program: `${program}-missing` }).available()).toBe(false);
    expect(await sink({ env: { ...process.env, LOG: path.dirname(program), PROBE: "1" } }).available()).toBe(false);
    const hanging = temporaryFolder({ buzz: "#!/bin/sh\nexec sleep 60\n" });
    chmodSync(path.join(hanging, "buzz"), 0o755);
    expect(await sink({ program: path.join(hanging, "buzz"), probeMs: 100 }).available()).toBe(false);
  });

  test.each([
    ['echo \'{"error":"no relay"}\' >&2; exit 2', 'buzz messages send exited with 2: {"error":"no relay"}'],
    ["exit 1", "buzz messages send exited with 1: no stderr"],
    ["kill -9 $$", "buzz messages send exited with -1: no stderr"],
    [
      "printf 'two\\nlines with nsec1secret' >&2; exit 3",
      "buzz messages send exited with 3: two lines with [redacted]",
    ],
  ])("that does %s is told of in one line, without secrets", async (script, expected) => {
    const { sink } = stub(`${takeBody}\n${script}`);
    expect(await sink().send(target, "x", signal)).toEqual(left(expected));
  });

  test("that reads nothing of a long body is told of by its exit code, not by a broken pipe", async () => {
    const { sink } = stub("exec <&-; exit 5");
    expect(await sink().send(target, "x".repeat(1_000_000), signal)).toEqual(
      left("buzz messages send exited with 5: no stderr"),
    );
  });

  test("that hangs is killed when its time is over", async () => {
    const { sink, read } = stub("exec sleep 60");
    expect(await sink({ postMs: 500 }).send(target, "x", signal)).toEqual(
      left("buzz messages send did not end within 0.5 s"),
    );
    // A busy machine may not have let it say its id before.
    await until("its end", () => read("pid") === "" || !isAlive(Number(read("pid"))));
  });

  test("that hangs is killed when the turn is cancelled", async () => {
    const { sink, read } = stub("exec sleep 60");
    const abort = new AbortController();
    const sending = sink().send(target, "x", abort.signal);
    const pid = await until("its start", () => Number(read("pid")) || undefined);
    abort.abort();
    expect((await sending)._tag).toBe("Left");
    await until("its end", () => !isAlive(pid));
  });

  test("whose child keeps its stderr open is not waited for", async () => {
    const { sink, read } = stub(`${takeBody}\nsleep 60 <&- >&- & echo $! > "$LOG/child"; exit 0`);
    expect(await sink({ postMs: 50_000 }).send(target, "x", signal)).toEqual(right(undefined));
    expect(isAlive(Number(read("child")))).toBe(true);
    process.kill(Number(read("child")), "SIGKILL");
  });

  test("that cannot be started is told of", async () => {
    const { sink, program } = stub(takeBody);
    expect(await sink({ program: `${program}-missing` }).send(target, "x", signal)).toEqual(
      left("buzz messages send could not be started (ENOENT)"),
    );
  });
});
