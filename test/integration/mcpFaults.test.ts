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
import { acceptable, type Fault, FAULTS, limitsFor, LOST } from "../support/faults.js";
import { faultEntry, open, type Opened, textOf } from "../support/faultTools.js";
import { isAlive } from "../support/processes.js";
import { until } from "../support/until.js";
import { within } from "../support/slowness.js";

const expectFault = (outcome: ToolOutcome, { kind, words, isError }: Fault): void => {
  expect([outcome.kind, textOf(outcome)]).toEqual([kind, expect.stringMatching(words)]);
  if (outcome.kind === "result") expect(outcome.isError).toBe(isError === true);
};

/** After a fault the calls reach a server that works, the same one or the next; one that is dying may take a call or two along. */
const expectWorking = async (session: Opened): Promise<void> => {
  const answers: string[] = [];
  while (answers.at(-1) !== "ok" && answers.length < 4) answers.push(textOf(await session.run("f__echo")));
  expect(answers.pop()).toBe("ok");
  for (const lost of answers) expect(lost).toMatch(LOST);
};

describe.concurrent.each(FAULTS)("A server that does '$tool'", (fault) => {
  const opened = (env: Readonly<Record<string, string>> = {}): Promise<Opened> =>
    open({ entries: [faultEntry("f", env)], limits: limitsFor(fault, 100) });
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
    expect(performance.now() - at).toBeLessThan(within(500));
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
    expect(performance.now() - at).toBeLessThan(within(3000));
    expect(textOf(await running)).toMatch(acceptable(fault, LOST));
    expect(textOf(await session.run("f__echo"))).toMatch(LOST);
  });
});
