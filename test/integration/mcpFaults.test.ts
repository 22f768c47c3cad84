/**
 * The fault matrix: everything that a server can do wrong in a call, each alone, beside other calls, while it is cancelled and
 * while the agent ends. Whatever happens, each call is settled once with the right words, a server that can still work does so,
 * one that cannot comes back at the next call, and no process is left (by process group, and by a mark in the environment).
 *
 * Wrong implementations that this kills: the SDK's own stdio transport (grandchildren survive, an endless line is copied until
 * memory ends, integers are rounded, an exit is not seen), its `callTool` (an unknown content block costs the whole result, an
 * answer of the wrong shape leaves the call waiting), a restart that is never tried after a death between calls
 * (`spec/server-mcp.md` 8.6), a timeout that leaves the process running (F73, F77).
 */
import { describe, expect, test } from "vitest";
import type { ToolOutcome } from "../../src/core/event.js";
import { faultEntry, open, type Opened, textOf } from "../support/faultTools.js";
import { isAlive } from "../support/processes.js";
import { until } from "../support/until.js";

interface Fault {
  readonly tool: string;
  readonly args?: object;
  /** What the call ends with when nothing else happens. */
  readonly kind: ToolOutcome["kind"];
  readonly words: RegExp;
  /** The server has ended, or was ended, by this. */
  readonly dies?: true;
}

const DIES = { kind: "failed", dies: true } as const;

const FAULTS: readonly Fault[] = [
  { tool: "echo", kind: "result", words: /^ok$/ },
  { tool: "hang", kind: "timedOut", words: /timed out after 1 s.*MCP server f was stopped/, dies: true },
  { tool: "crash", ...DIES, words: /MCP server f: exited with code 3/ },
  { tool: "crashWithWords", ...DIES, words: /exited with code 4: .*the disk is on fire/ },
  { tool: "kill", ...DIES, words: /was ended by SIGKILL/ },
  { tool: "crashAfterAnswer", kind: "result", words: /^last words$/, dies: true },
  { tool: "crashSoon", args: { ms: 1 }, kind: "result", words: /^soon$/, dies: true },
  { tool: "halfLine", ...DIES, words: /exited with code 7/ },
  { tool: "endlessLine", ...DIES, words: /sent a line over 2097152 bytes/ },
  { tool: "closeStdout", ...DIES, words: /closed its output/ },
  { tool: "closeStdin", kind: "timedOut", words: /timed out after 1 s/, dies: true },
  { tool: "noise", kind: "result", words: /^after the noise$/ },
  { tool: "wrongId", kind: "result", words: /^right$/ },
  { tool: "stringId", kind: "result", words: /^as a string$/ },
  { tool: "duplicate", kind: "result", words: /^first$/ },
  { tool: "crlf", kind: "result", words: /^crlf$/ },
  { tool: "bytewise", kind: "result", words: /^naïve 💡$/ },
  { tool: "rejects", kind: "rejected", words: /^rejected: no such flavour$/ },
  { tool: "connectionClosedError", kind: "rejected", words: /Connection closed, says the server/ },
  { tool: "strangeError", kind: "rejected", words: /no reason given/ },
  { tool: "isError", kind: "result", words: /^it did not work$/ },
  { tool: "stringResult", kind: "failed", words: /the answer holds no result/ },
  { tool: "noResult", kind: "failed", words: /the answer holds no result/ },
  { tool: "emptyResult", kind: "result", words: /^$/ },
  { tool: "strangeMeta", kind: "result", words: /^meta$/ },
  { tool: "content", kind: "result", words: /inside y[\s\S]*unreadable content block: of type hologram/ },
  { tool: "structured", kind: "result", words: /^\{"n":18446744073709551615\}$/ },
  { tool: "both", kind: "result", words: /^for people$/ },
  { tool: "asks", kind: "result", words: /"roots":\[\].*"action":"decline".*-32601/ },
  { tool: "changes", kind: "result", words: /^\d+$/ },
  { tool: "stderr", kind: "result", words: /^loud$/ },
  { tool: "grandchild", kind: "result", words: /^\d+$/ },
];

/** More failures than a test can cause, so that none of them exhausts the server by the way. */
const limits = { toolTimeoutSeconds: 1, mcpLineBytesMax: 2 * 1024 * 1024, mcpRestartMaxAttempts: 100 };

const opened = (env: Readonly<Record<string, string>> = {}): Promise<Opened> =>
  open({ entries: [faultEntry("f", env)], limits });

const expectFault = (outcome: ToolOutcome, { kind, words }: Fault): void => {
  expect([outcome.kind, textOf(outcome)]).toEqual([kind, expect.stringMatching(words)]);
};

/** What a call may end with that a dying server takes along, or that is made when there is no server any more. */
const LOST = /^(?:failed|timedOut): .*(?:MCP server f|no longer available)/;

/** After a fault the calls reach a server that works, the same one or the next; one that is dying may take a call or two along. */
const expectWorking = async (session: Opened): Promise<void> => {
  const answers: string[] = [];
  while (answers.at(-1) !== "ok" && answers.length < 4) answers.push(textOf(await session.run("f__echo")));
  expect(answers.pop()).toBe("ok");
  for (const lost of answers) expect(lost).toMatch(LOST);
};

/** The fault's own end, or a cancel, or that of a call that went down with the server; joined for one expectation. */
const acceptable = (fault: Fault, ...others: readonly RegExp[]): RegExp =>
  RegExp(
    [fault.kind === "result" ? fault.words : RegExp(fault.words.source.replace("^", "")), ...others]
      .map(({ source }) => source)
      .join("|"),
  );

describe.concurrent.each(FAULTS)("A server that does '$tool'", (fault) => {
  const call = `f__${fault.tool}`;

  test("settles the call with the right words, and works in the next", async () => {
    const session = await opened();
    const before = textOf(await session.run("f__pid"));
    expectFault(await session.run(call, fault.args), fault);
    if (fault.dies) await until("the old process gone", () => !isAlive(Number(before)));
    await expectWorking(session);
    const after = textOf(await session.run("f__pid"));
    expect(after === before).toBe(fault.dies !== true);
    await session.close();
  });

  test("settles every one of nine calls at a time, each with the right words", async () => {
    const session = await opened();
    const others = { f__echo: {}, f__slow: { ms: 20 } };
    const calls = Object.entries({ ...others, [call]: fault.args ?? {} });
    const ends = await Promise.all(
      [...calls, ...calls, ...calls].map(async ([name, args]) => ({
        name,
        text: textOf(await session.run(name, args)),
      })),
    );
    const own = ends.filter(({ name }) => name === call).map(({ text }) => text);
    const beside = ends.filter(({ name }) => name !== call).map(({ text }) => text);
    // A server that dies or is stopped takes along what it had not answered; otherwise each call has its own answer.
    const lost = fault.dies ? [LOST] : [];
    for (const text of own) expect(text).toMatch(acceptable(fault, ...lost));
    for (const text of beside)
      expect(text).toMatch(acceptable({ ...fault, kind: "result", words: /^(?:ok|slow)$/ }, ...lost));
    await expectWorking(session);
    await session.close();
  });

  test("is left at once by a cancel, and works afterwards", async () => {
    const session = await opened();
    const cancel = new AbortController();
    const running = session.run(call, fault.args, cancel.signal);
    await session.received(fault.tool);
    const at = performance.now();
    cancel.abort();
    const end = await running;
    expect(performance.now() - at).toBeLessThan(500);
    // Whichever was first: the answer may have crossed the cancel.
    expect(textOf(end)).toMatch(acceptable(fault, /^cancelled$/));
    await expectWorking(session);
    await session.close();
  });

  test("does not outlive the end of the agent", async () => {
    const session = await opened({ FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore" });
    const running = session.run(call, fault.args);
    await session.received(fault.tool);
    const at = performance.now();
    await session.close(100);
    expect(performance.now() - at).toBeLessThan(3000);
    expect(textOf(await running)).toMatch(acceptable(fault, LOST));
    expect(textOf(await session.run("f__echo"))).toMatch(LOST);
  });
});
