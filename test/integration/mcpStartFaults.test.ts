/**
 * Everything that a server can do wrong while it starts and lists its tools, at the first start and at a restart: alone, beside
 * others, while it is given up, and while the agent ends. Each is told in the right words, costs that server only, and leaves
 * nothing behind. Faults in a call are in `mcpFaults.test.ts`.
 *
 * Wrong implementations that this kills: a start that a cancel cannot leave (`spec/server-mcp.md` 18 #20), a restart in progress
 * that the end of the session forgets, a server that hangs in its listing and holds the others up (F73).
 */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ShellLimits } from "../../src/core/policy.js";
import { LOST } from "../support/faults.js";
import { faultEntry, open, type Opened, textOf, tryOpen } from "../support/faultTools.js";
import { processesWith } from "../support/processes.js";
import { temporaryFolder } from "../support/sessions.js";
import { within } from "../support/slowness.js";
import { until } from "../support/until.js";

interface StartFault {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly why: RegExp;
  /** Nothing but the time limit ends it. */
  readonly hangs?: true;
}

const HANGS = { why: /timeout: not ready within 1 s/, hangs: true } as const;

const FAULTS: readonly StartFault[] = [
  { name: "exits at once", env: { FAULT_START: "exitAtOnce" }, why: /exited with code 11: no configuration found/ },
  { name: "exits during initialize", env: { FAULT_START: "exit" }, why: /exited with code 10/ },
  { name: "refuses to initialize", env: { FAULT_START: "error" }, why: /cannot initialise/ },
  {
    name: "answers initialize with nonsense",
    env: { FAULT_START: "malformed" },
    why: /initialize: the answer is malformed/,
  },
  { name: "fails to list its tools", env: { FAULT_LIST: "fail" }, why: /tools\/list: listing broke/ },
  { name: "dies while it lists its tools", env: { FAULT_LIST: "crash" }, why: /exited with code 9/ },
  { name: "hangs in initialize (F73)", env: { FAULT_START: "hang" }, ...HANGS },
  { name: "hangs in its listing (F73)", env: { FAULT_LIST: "hang" }, ...HANGS },
];

const STUBBORN = { FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore" };

const limitsFor = ({ hangs }: StartFault): Partial<ShellLimits> => ({
  ...(hangs === undefined ? {} : { mcpInitTimeoutSeconds: 1 }),
  mcpRestartMaxAttempts: 100,
});

/** Long enough for whoever has to be left or ended. */
const patient = { mcpInitTimeoutSeconds: 600 };

describe.concurrent.each(FAULTS)("A server that $name", (fault) => {
  const { env, why } = fault;
  const limits = limitsFor(fault);

  describe("at its first start", () => {
    test("refuses the session if it is the only one, and says why", async () => {
      const failed = await tryOpen({ entries: [faultEntry("f", env)], limits });
      expect(failed).toMatchObject({ kind: "noServer", message: expect.stringMatching(why) });
    });

    test("costs its own tools only, and that is told", async () => {
      const session = await open({ entries: [faultEntry("f", env), faultEntry("good"), faultEntry("g", env)], limits });
      const title = (name: string): string => `MCP server ${name} did not come up`;
      for (const name of ["f", "g"]) {
        const detail = expect.stringMatching(why);
        expect(session.notices).toContainEqual({ severity: "error", title: title(name), detail });
      }
      expect(textOf(await session.run("good__echo"))).toBe("ok");
      expect(textOf(await session.run("f__echo"))).toMatch(LOST);
      await session.close();
    });

    test("is left by whoever gives the session up", async () => {
      const giveUp = new AbortController();
      const mark = randomUUID();
      const entries = [faultEntry("f", { ...env, ...STUBBORN, FAULT_MARK: mark })];
      const opening = tryOpen({ entries, limits: patient, options: { signal: giveUp.signal } });
      if (fault.hangs) await until("its process", () => processesWith(`FAULT_MARK=${mark}`).length > 0);
      giveUp.abort();
      expect(await opening).toEqual({ kind: "aborted" });
    });

    test("is ended with the session that did not wait for it", async () => {
      const entries = [faultEntry("f", { ...env, ...STUBBORN })];
      const session = await open({ entries, limits: { ...patient, mcpGraceMs: 0 } });
      const at = performance.now();
      await session.close(100);
      expect(performance.now() - at).toBeLessThan(within(3000));
    });
  });

  describe("at a restart", () => {
    /** A session whose server was well at first, has died, and will start with the fault. */
    const died = async (
      ofServer: Partial<ShellLimits>,
      more: Readonly<Record<string, string>> = {},
    ): Promise<Opened & { readonly startedAgain: () => Promise<unknown> }> => {
      const starts = temporaryFolder();
      const entries = [faultEntry("f", { ...env, ...more, FAULT_SINCE: starts })];
      const session = await open({ entries, limits: ofServer });
      expect(textOf(await session.run("f__crash"))).toMatch(/exited with code 3/);
      return { ...session, startedAgain: () => until("a restart", () => readdirSync(starts).length > 1) };
    };

    test("fails the call in words", async () => {
      const session = await died(limits);
      expect(textOf(await session.run("f__echo"))).toMatch(why);
      // And the next one as well: each tries again.
      expect(textOf(await session.run("f__echo"))).toMatch(why);
      await session.close();
    });

    test("fails all calls that wait for it, once", async () => {
      const session = await died(limits);
      const before = session.notices.length;
      const calls = [1, 2, 3, 4].map(async () => textOf(await session.run("f__echo")));
      for (const text of await Promise.all(calls)) expect(text).toMatch(why);
      const told = session.notices.slice(before).map(({ title }) => title);
      expect(told).toEqual(["MCP server f stopped"]);
      await session.close();
    });

    test("is left at once by a cancel", async () => {
      const session = await died({ ...limits, ...patient });
      const cancel = new AbortController();
      const running = session.run("f__echo", {}, cancel.signal);
      // What fails by itself is left before it comes to that.
      if (fault.hangs) await session.startedAgain();
      const at = performance.now();
      cancel.abort();
      expect(await running).toEqual({ kind: "cancelled" });
      expect(performance.now() - at).toBeLessThan(within(500));
      await session.close();
    });

    test("does not outlive the end of the agent", async () => {
      const session = await died({ ...limits, ...patient }, STUBBORN);
      const running = session.run("f__echo");
      await session.startedAgain();
      const at = performance.now();
      await session.close(100);
      expect(performance.now() - at).toBeLessThan(within(3000));
      expect(textOf(await running)).toMatch(LOST);
    });
  });
});
