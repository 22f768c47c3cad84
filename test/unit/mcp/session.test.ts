import { describe, expect, test } from "vitest";
import { defaultShellLimits as limits } from "../../../src/core/policy.js";
import { restartDelayMs } from "../../../src/shell/mcp/backoff.js";
import { catalogOf } from "../../../src/shell/mcp/catalog.js";
import { judgeEntries } from "../../../src/shell/mcp/entries.js";
import { serverEnvironment } from "../../../src/shell/mcp/environment.js";
import type { ListedTool } from "../../../src/shell/mcp/listing.js";

const entry = (name: string, more: object = {}): object => ({ name, command: "c", args: ["a"], env: [], ...more });

describe("The server list of a session", () => {
  test("Each entry is judged alone: remote and malformed ones are left out and told.", () => {
    const judged = judgeEntries(
      [
        entry("good", {
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
          ],
          type: "stdio",
          _meta: {},
        }),
        { type: "http", name: "web", url: "https://x", headers: [] },
        { type: "sse", name: "old", url: "https://x", headers: [] },
        { name: "noCommand" },
        entry("badArgs", { args: [1] }),
        entry("badEnv", { env: [{ name: "A" }] }),
        entry("nullByte", { args: ["a\0b"] }),
        null,
        7,
        {},
        { name: "bare", command: "c" },
        { name: "asInFiles", command: "c", args: null, env: { B: "3", "": "x", "C=": "y" } },
      ],
      [],
      limits,
    );
    expect(judged).toMatchObject({
      right: {
        specs: [
          { name: "good", command: "c", args: ["a"], env: { A: "2" } },
          { name: "bare", command: "c", args: [], env: {} },
          { name: "asInFiles", command: "c", args: [], env: { B: "3" } },
        ],
        skipped: [
          "MCP server web: only stdio servers are supported",
          "MCP server old: only stdio servers are supported",
          "MCP server noCommand: its entry is malformed",
          "MCP server badArgs: its entry is malformed",
          "MCP server badEnv: its entry is malformed",
          "MCP server nullByte: its command is malformed",
          "an MCP server without a name: its entry is malformed",
          "an MCP server without a name: its entry is malformed",
          "an MCP server without a name: its entry is malformed",
        ],
      },
    });
  });

  test.each([
    ["too many", Array.from({ length: 17 }, (_, n) => entry(`s${n}`)), "too many MCP servers: 17, at most 16"],
    ["a double name", [entry("a"), { type: "http", name: "a", url: "u" }], 'MCP server name "a" stands twice'],
    ["an empty name", [entry("")], 'bad MCP server name ""'],
    ["a name with `__`", [entry("a__b")], 'bad MCP server name "a__b"'],
    ["a name outside the alphabet", [entry("a b")], 'bad MCP server name "a b"'],
    ["a name that is too long", [entry("n".repeat(129))], "bad MCP server name"],
  ])("With %s the list is refused.", (_, entries, message) => {
    expect(judgeEntries(entries, [], limits)).toEqual({ _tag: "Left", left: expect.stringContaining(message) });
  });

  test("The operator's own servers come after the client's, which replace those of the same name.", () => {
    const judged = judgeEntries([entry("a")], [entry("a", { command: "other" }), entry("b")], limits);
    expect(judged).toMatchObject({ right: { specs: [{ name: "a", command: "c" }, { name: "b" }], skipped: [] } });
  });
});

describe("A server's environment", () => {
  // F79: provider keys in every tool server's environment.
  test("Is the allowlist and what its entry asks for, and nothing else of ours.", () => {
    const own = {
      PATH: "/bin",
      HOME: "/h",
      ANTHROPIC_API_KEY: "secret",
      OPENAI_COMPAT_API_KEY: "secret",
      NODE_OPTIONS: "-r x",
      https_proxy: "p",
      TERM: undefined,
    };
    expect(serverEnvironment(own, { TOKEN: "t", PATH: "/mine" }, "linux")).toEqual({
      HOME: "/h",
      https_proxy: "p",
      TOKEN: "t",
      PATH: "/mine",
    });
  });

  test("On Windows names are found whatever their case, and an entry replaces them so.", () => {
    expect(serverEnvironment({ Path: "C:\\", SystemRoot: "C:\\W", SECRET: "x" }, { PATH: "D:\\" }, "win32")).toEqual({
      SystemRoot: "C:\\W",
      PATH: "D:\\",
    });
  });
});

const tool = (bare: string, bytes = 10): ListedTool => ({
  bare,
  description: "d".repeat(bytes),
  schema: '{"type":"object","properties":{}}',
  readOnly: false,
});

describe("The catalogue", () => {
  const none = { kind: "none" } as const;

  test("Holds tools in server order under qualified names, hides hooks, and puts built-ins last.", () => {
    const builtIn = { name: "load_skill", description: "", schema: "{}", readOnly: true, builtIn: true };
    const { tools, hooks, routes } = catalogOf(
      [
        { server: "b", tools: [tool("two"), tool("_Stop"), tool("_secret")] },
        { server: "a", tools: [tool("one"), tool("_PostCompact"), tool("_Stop")] },
      ],
      [builtIn],
      { kind: "all" },
      limits,
    );
    expect(tools.map(({ name }) => name)).toEqual(["b__two", "a__one", "load_skill"]);
    expect(hooks).toEqual([
      { server: "b", point: "_Stop" },
      { server: "a", point: "_Stop" },
      { server: "a", point: "_PostCompact" },
    ]);
    expect([...routes]).toEqual([
      ["b__two", { server: "b", bare: "two" }],
      ["a__one", { server: "a", bare: "one" }],
    ]);
  });

  test("Hooks are those of allowed servers only; a list never widens by accident.", () => {
    const listed = [{ server: "a", tools: [tool("_Stop")] }];
    const hooksFor = (names: readonly string[]): number =>
      catalogOf(listed, [], { kind: "named", names }, limits).hooks.length;
    expect(catalogOf(listed, [], none, limits).hooks).toEqual([]);
    expect([hooksFor(["a"]), hooksFor(["b"]), hooksFor(["*", "b"])]).toEqual([1, 0, 0]);
  });

  test("What is over the caps is left out in server order; hooks do not count (F76f).", () => {
    const many = Array.from({ length: 100 }, (_, n) => tool(`t${n}`));
    const hidden = Array.from({ length: 50 }, (_, n) => tool(`_h${n}`));
    const full = catalogOf(
      [
        { server: "a", tools: [...hidden, ...many] },
        { server: "b", tools: many },
      ],
      [],
      none,
      limits,
    );
    expect([full.tools.length, full.leftOut.length, full.leftOut[0]]).toEqual([128, 72, "b__t28"]);
    const wide = catalogOf([{ server: "a", tools: [tool("x", 8000), tool("y", 8000), tool("z", 10)] }], [], none, {
      ...limits,
      catalogBytesMax: 9000,
    });
    expect([wide.tools.map(({ name }) => name), wide.leftOut]).toEqual([["a__x", "a__z"], ["a__y"]]);
  });
});

test("Waits before a restart double from the base to the maximum, give or take a fifth.", () => {
  const base = [1, 2, 3, 7, 8, 40].map((failures) => restartDelayMs(failures, limits, 0.5));
  expect(base).toEqual([500, 1000, 2000, 30_000, 30_000, 30_000]);
  expect(restartDelayMs(1, limits, 0)).toBeCloseTo(400);
  expect(restartDelayMs(1, limits, 1)).toBeCloseTo(600);
});
