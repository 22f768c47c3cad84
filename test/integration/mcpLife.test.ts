/**
 * The life of servers beyond single calls: starting (its faults are in `mcpStartFaults.test.ts`), listing, hooks, restarts,
 * cancels, the end. Where a case comes from a failure in the field or in the prior art, it says so.
 */
import { describe, expect, test } from "vitest";
import { faultEntry, open, textOf, tryOpen } from "../support/faultTools.js";
import { isAlive, openDescriptors } from "../support/processes.js";
import { until } from "../support/until.js";
import { within } from "../support/slowness.js";

const toolNames = (session: { port: { offered: () => { tools: readonly { name: string }[] } } }): readonly string[] =>
  session.port.offered().tools.map(({ name }) => name);

describe.concurrent("Starting", () => {
  test("A command that is not there, or must not be run, is named.", async () => {
    const entries = [
      { name: "a", command: "no-such-program-here", args: [], env: [] },
      { name: "b", command: "/etc/passwd", args: [], env: [] },
    ];
    const failed = await tryOpen({ entries });
    expect(failed).toMatchObject({
      kind: "noServer",
      message: expect.stringMatching(/a: command not found: no-such-program-here; b: not allowed to run \/etc\/passwd/),
    });
  });

  test("Without stdio servers, or with skipped ones only, the session works without tools.", async () => {
    const session = await open({ entries: [{ type: "http", name: "web", url: "https://x", headers: [] }] });
    expect(session.port.offered()).toEqual({ tools: [], hooks: [], complete: true });
    expect(session.notices.map(({ detail }) => detail)).toEqual(["MCP server web: only stdio servers are supported"]);
    await session.close();
  });

  // server-mcp.md 18 #16: servers were started one after another, so that N slow ones took N times as long.
  test("Servers start side by side, and after the grace the session goes on without the slow ones.", async () => {
    const slow = { FAULT_START: "slow", FAULT_START_MS: "3000" };
    const at = performance.now();
    const session = await open({
      entries: [faultEntry("s1", slow), faultEntry("quick"), faultEntry("s2", slow)],
      limits: { mcpGraceMs: 300 },
    });
    expect(performance.now() - at).toBeLessThan(within(2500));
    expect(session.port.offered().complete).toBe(false);
    const changes: boolean[] = [];
    session.port.onChange(({ complete }) => changes.push(complete));
    await until("complete", () => session.port.offered().complete);
    expect(changes.at(-1)).toBe(true);
    expect(textOf(await session.run("s2__echo"))).toBe("ok");
    expect(toolNames(session)[0]).toBe("s1__echo");
    await session.close();
  });

  test("A server that is still starting after the grace may fail later without costing the session.", async () => {
    const session = await open({
      entries: [faultEntry("f", { FAULT_START: "hang" })],
      limits: { mcpGraceMs: 100, mcpInitTimeoutSeconds: 1 },
    });
    expect(session.port.offered()).toMatchObject({ tools: [], complete: false });
    await until("given up", () => session.port.offered().complete, 3000);
    expect(session.notices.at(-1)?.detail).toContain("timeout: not ready within 1 s");
    await session.close();
  });

  test("A server of another protocol version is used all the same.", async () => {
    const session = await open({ entries: [faultEntry("f", { FAULT_START: "version" })] });
    expect(textOf(await session.run("f__echo"))).toBe("ok");
    await session.close();
  });

  test("Noise and a byte-order mark before the first frame do no harm (F63, F72).", async () => {
    const session = await open({
      entries: [faultEntry("bom", { FAULT_START: "bom" }), faultEntry("noise", { FAULT_START: "noise" })],
    });
    expect(textOf(await session.run("bom__echo"))).toBe("ok");
    expect(textOf(await session.run("noise__echo"))).toBe("ok");
    await session.close();
  });
});

describe.concurrent("Listing", () => {
  // opentokenz/mcpx #28: one entry without a type rejected all 19 tools (F76c).
  test("Bad entries are left out and told, odd ones are made acceptable, and the rest is there.", async () => {
    const session = await open({ entries: [faultEntry("f", { FAULT_LIST: "invalid" })] });
    const { tools } = session.port.offered();
    expect(tools.map(({ name }) => name)).toEqual([
      "f__noSchema",
      "f__echo",
      expect.stringMatching(/^f__na_ve_tool___--[0-9a-z]{25}$/),
      "f__ref",
      expect.stringMatching(/^f__n{34}--[0-9a-z]{25}$/),
      "f__huge",
    ]);
    for (const { schema } of tools) expect(JSON.parse(schema)).toMatchObject({ type: "object", properties: {} });
    expect(tools[4]?.readOnly).toBe(true);
    expect(Buffer.byteLength(tools[4]?.description ?? "")).toBe(8192);
    const told = session.notices.map(({ detail }) => detail).join("\n");
    expect(told.match(/a tool without a name was left out/g)).toHaveLength(6);
    expect(told).toContain("echo: listed twice; the first one counts");
    expect(told).toContain("huge: its schema is over 32768 bytes and was replaced by an open one");
    expect(textOf(await session.run(tools[2]?.name ?? ""))).toMatch(/unknown tool naïve tool\/💡/);
    await session.close();
  });

  test("All pages are read, an endless listing ends, and a server without tools is no failure.", async () => {
    const session = await open({
      entries: [
        faultEntry("pages", { FAULT_LIST: "pages" }),
        faultEntry("endless", { FAULT_LIST: "endless" }),
        faultEntry("none", { FAULT_LIST: "reject" }),
        faultEntry("noList", { FAULT_LIST: "noList" }),
      ],
      limits: { maxMcpPages: 7 },
    });
    const names = toolNames(session);
    expect(names.filter((name) => name.startsWith("pages"))).toEqual([0, 1, 2, 3, 4].map((n) => `pages__page${n}`));
    expect(names.filter((name) => name.startsWith("endless"))).toHaveLength(7);
    expect(session.notices.map(({ detail }) => detail).join()).toContain("did not end within 7 pages");
    await session.close();
  });

  test("Tools over the cap are left out and named.", async () => {
    const session = await open({ entries: [faultEntry("f", { FAULT_LIST: "many" })] });
    expect(toolNames(session)).toHaveLength(128);
    expect(session.notices).toEqual([
      expect.objectContaining({ detail: expect.stringMatching(/^f__tool_128, .*, f__tool_147 and 152 more$/) }),
    ]);
    await session.close();
  });

  test("A changed list is read again: new tools can be called, and one that is gone says so.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    await session.run("f__change");
    await until("the new list", () => toolNames(session).includes("f__fresh"));
    expect(toolNames(session)).not.toContain("f__hang");
    expect(textOf(await session.run("f__hang"))).toBe("failed: no longer available: f__hang");
    expect(textOf(await session.run("f__fresh"))).toMatch(/unknown tool fresh/);
    await session.close();
  });

  test("A list that is as it was changes nothing.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    let changes = 0;
    session.port.onChange(() => (changes += 1));
    await session.run("f__sameAgain");
    while (textOf(await session.run("f__listings")) !== "2");
    // The answer to the second listing was sent before that to the last call.
    expect(changes).toBe(0);
    await session.close();
  });

  test("Five hundred changes at a time cost a few listings.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    await session.run("f__changes");
    const listings = async (): Promise<number> => Number(textOf(await session.run("f__listings")));
    // One at start, one for the first of the changes, one for the rest: and then it is quiet.
    while ((await listings()) < 3);
    expect(await listings()).toBe(3);
    await session.close();
  });
});

describe.concurrent("Dying and coming back", () => {
  // server-mcp.md 8.6: a child that had exited between calls was never restarted; every later call failed.
  test("A death between calls is noticed within 100 ms and repaired by the next call.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    const pid = Number(textOf(await session.run("f__pid")));
    process.kill(pid, "SIGKILL");
    await until("gone", () => !isAlive(pid));
    // It takes no more than the 50 ms that last words are waited for; the rest is for a busy machine.
    await until("noticed", () => session.notices.some(({ detail }) => detail.includes("SIGKILL")), within(300));
    expect(toolNames(session)).toContain("f__echo");
    expect(textOf(await session.run("f__echo"))).toBe("ok");
    await session.close();
  });

  // server-mcp.md 18 #19: a server that started well and hung in every call was restarted for ever.
  test("Failures in a row are counted until a call succeeds, and then the server is given up, with its tools.", async () => {
    const session = await open({ entries: [faultEntry("f")], limits: { mcpRestartMaxAttempts: 3 } });
    for (const call of ["crash", "crash", "echo", "crash", "crash"]) await session.run(`f__${call}`);
    expect(toolNames(session)).toContain("f__crash");
    expect(textOf(await session.run("f__crash"))).toMatch(/exited with code 3/);
    expect(toolNames(session)).toEqual([]);
    expect(session.notices.at(-1)).toMatchObject({ severity: "error", title: "MCP server f is given up" });
    expect(textOf(await session.run("f__echo"))).toBe("failed: no longer available: f__echo");
    await session.close();
  });

  test("Calls that come together while it is down share one restart, and wait out the back-off.", async () => {
    const session = await open({ entries: [faultEntry("f")], limits: { mcpRestartBaseMs: 200, mcpRestartMaxMs: 200 } });
    await session.run("f__crash");
    const at = performance.now();
    const pids = await Promise.all([1, 2, 3].map(async () => textOf(await session.run("f__pid"))));
    expect(performance.now() - at).toBeGreaterThan(100);
    expect(new Set(pids).size).toBe(1);
    await session.close();
  });

  // server-mcp.md 18 #20: a restart could not be cancelled and held a turn for twice the init timeout.
  test("A cancel leaves a restart at once, and the restart goes on for the next call.", async () => {
    const session = await open({
      entries: [faultEntry("f")],
      limits: { mcpRestartBaseMs: 1000, mcpRestartMaxMs: 1000 },
    });
    await session.run("f__crash");
    const cancel = new AbortController();
    const running = session.run("f__echo", {}, cancel.signal);
    const at = performance.now();
    cancel.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    expect(performance.now() - at).toBeLessThan(within(500));
    expect(textOf(await session.run("f__echo"))).toBe("ok");
    await session.close();
  });

  test("The time of a call covers the restart before it.", async () => {
    const session = await open({
      entries: [faultEntry("f")],
      limits: { mcpRestartBaseMs: 20_000, mcpRestartMaxMs: 20_000, toolTimeoutSeconds: 1 },
    });
    await session.run("f__crash");
    const at = performance.now();
    expect(textOf(await session.run("f__echo"))).toMatch(/^timedOut: timed out after 1 s/);
    expect(performance.now() - at).toBeLessThan(within(5000));
    await session.close();
  });

  test("Leftover processes of a crashed server end with it, also those that ignore TERM (F77).", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    const grandchild = Number(textOf(await session.run("f__grandchild")));
    await session.run("f__crash");
    await until("the grandchild gone", () => !isAlive(grandchild));
    expect(textOf(await session.run("f__echo"))).toBe("ok");
    await session.close();
  });
});

describe.concurrent("Calls", () => {
  // buzz cancel_sends_notifications_cancelled_to_any_mcp_server.
  test("A cancel tells the server which call, and its late answer changes nothing.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    const cancel = new AbortController();
    const running = session.run("f__late", {}, cancel.signal);
    await session.received("late");
    cancel.abort();
    expect(await running).toEqual({ kind: "cancelled" });
    const told = JSON.parse(textOf(await session.run("f__cancelled")));
    expect(told).toEqual([{ requestId: expect.any(Number), reason: "session cancelled" }]);
    await session.close();
  });

  test("A call that was cancelled before it began never reaches the server.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    expect(await session.run("f__echo", {}, AbortSignal.abort())).toEqual({ kind: "cancelled" });
    expect(textOf(await session.run("f__count"))).toBe("1");
    await session.close();
  });

  test("Integers of any size reach the server and come back as they were.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    const outcome = await session.port.run("f__args", '{"n":18446744073709551615}', new AbortController().signal);
    expect(textOf(outcome)).toContain('"arguments":{"n":18446744073709551615}');
    await session.close();
  });

  test("Results of many megabytes arrive whole and quickly.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    const at = performance.now();
    expect(textOf(await session.run("f__big", { bytes: 15_000_000 }))).toHaveLength(15_000_000);
    expect(performance.now() - at).toBeLessThan(within(10_000));
    await session.close();
  });

  // F79.
  test("A server sees the allowlist and its own entry of the environment, and runs in the session's directory.", async () => {
    const environment = { ...process.env, ANTHROPIC_API_KEY: "sk-secret", BUZZ_AGENT_PROVIDER: "anthropic" };
    const session = await open({
      entries: [faultEntry("f", { OWN: "1" })],
      options: { environment, cwd: "/tmp" },
    });
    const env = JSON.parse(textOf(await session.run("f__env")));
    expect(Object.keys(env)).toEqual(expect.arrayContaining(["PATH", "OWN"]));
    expect(JSON.stringify(env)).not.toMatch(/sk-secret|BUZZ_AGENT_PROVIDER|VITEST/);
    expect(textOf(await session.run("f__cwd"))).toBe("/tmp");
    await session.close();
  });

  test("What nobody offers, and arguments that are no object, are words for the model.", async () => {
    const session = await open({ entries: [faultEntry("f")] });
    const { signal } = new AbortController();
    expect(textOf(await session.port.run("g__echo", "{}", signal))).toBe("failed: no longer available: g__echo");
    expect(textOf(await session.port.run("f__echo", "[]", signal))).toBe("failed: the arguments are no JSON object");
    await session.close();
  });
});

describe.concurrent("Hooks", () => {
  const all = { options: { hookServers: { kind: "all" } as const } };
  const never = new AbortController().signal;

  test("Are offered for allowed servers, answered in server order, and silent when they fail (fail open).", async () => {
    const session = await open({
      ...all,
      entries: [
        faultEntry("a", { FAULT_STOP: "keep going", FAULT_POSTCOMPACT: "remember" }),
        faultEntry("b", { FAULT_STOP: "hang" }),
        faultEntry("c", { FAULT_STOP: "crash" }),
        faultEntry("d", { FAULT_STOP: "reject" }),
        faultEntry("e", { FAULT_STOP: "isError" }),
        faultEntry("g", { FAULT_STOP: " \n" }),
        faultEntry("h", { FAULT_STOP: "and you" }),
      ],
      limits: { hookTimeoutMs: 300 },
    });
    const { hooks, tools } = session.port.offered();
    expect(tools.some(({ name }) => name.includes("___"))).toBe(false);
    const stop = hooks.filter(({ point }) => point === "_Stop").map(({ server }) => server);
    expect(stop).toEqual(["a", "b", "c", "d", "e", "g", "h"]);
    const at = performance.now();
    expect(await session.port.callHooks("_Stop", stop, never)).toEqual([
      { server: "a", text: "keep going" },
      { server: "h", text: "and you" },
    ]);
    // buzz hook_stop_timeout_failopen.
    expect(performance.now() - at).toBeLessThan(within(3000));
    expect(await session.port.callHooks("_PostCompact", ["a"], never)).toEqual([{ server: "a", text: "remember" }]);
    await session.close();
  });

  test("The second timeout in a row stops the server, the first does not.", async () => {
    const session = await open({
      ...all,
      entries: [faultEntry("f", { FAULT_STOP: "hang" })],
      limits: { hookTimeoutMs: 100 },
    });
    const pid = Number(textOf(await session.run("f__pid")));
    await session.port.callHooks("_Stop", ["f"], never);
    expect(textOf(await session.run("f__pid"))).toBe(String(pid));
    await session.port.callHooks("_Stop", ["f"], never);
    await until("stopped", () => !isAlive(pid));
    expect(Number(textOf(await session.run("f__pid")))).not.toBe(pid);
    await session.close();
  });

  test("A cancel ends them at once.", async () => {
    const session = await open({ ...all, entries: [faultEntry("f", { FAULT_STOP: "hang" })] });
    const cancel = new AbortController();
    const running = session.port.callHooks("_Stop", ["f"], cancel.signal);
    await session.received("_Stop");
    cancel.abort();
    expect(await running).toEqual([]);
    await session.close();
  });
});

describe("The end", () => {
  test("Takes stubborn servers and their grandchildren along, all at the same time.", async () => {
    const stubborn = { FAULT_STDIN_END: "ignore", FAULT_TERM: "ignore", FAULT_START: "grandchild" };
    const session = await open({ entries: ["a", "b", "c", "d"].map((name) => faultEntry(name, stubborn)) });
    const at = performance.now();
    await session.close(300);
    const took = performance.now() - at;
    expect(took).toBeGreaterThan(500);
    expect(took).toBeLessThan(within(5000));
  });

  test("Is quick for servers that leave when their stdin ends.", async () => {
    const session = await open({ entries: [faultEntry("a"), faultEntry("b")] });
    const at = performance.now();
    await session.close(2000);
    expect(performance.now() - at).toBeLessThan(within(1900));
  });

  test("No descriptor is left after many sessions, whatever they did.", async () => {
    const round = async (): Promise<void> => {
      const session = await open({ entries: [faultEntry("f")] });
      for (const call of ["echo", "crash", "echo", "closeStdout", "grandchild"]) await session.run(`f__${call}`);
      await session.close(50);
    };
    await round();
    const before = openDescriptors();
    for (let n = 0; n < 5; n += 1) await round();
    expect(openDescriptors()).toBeLessThanOrEqual(before + 1);
  });
});
