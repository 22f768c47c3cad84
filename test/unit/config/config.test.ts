import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { describe, expect, test } from "vitest";
import { allowsHooks } from "../../../src/shell/config/hookServers.js";
import { builtInSystemPrompt } from "../../../src/shell/config/systemPrompt.js";
import { allVariables } from "../../../src/shell/config/allVariables.js";
import { anthropic, config, fault, files } from "./fixtures.js";

describe("MCP_HOOK_SERVERS", () => {
  test.each([
    [undefined, { kind: "none" }],
    ["", { kind: "none" }],
    ["  ", { kind: "none" }],
    [" , ,", { kind: "none" }],
    ["*", { kind: "all" }],
    [" * ", { kind: "all" }],
    ["foo, bar ,,", { kind: "named", names: ["foo", "bar"] }],
    ["*,foo", { kind: "named", names: ["*", "foo"] }],
  ])("%s", (value, expected) => {
    expect(config({ ...anthropic, MCP_HOOK_SERVERS: value }).hookServers).toEqual(expected);
  });

  test("none allows nobody, all everybody, a list only who is listed", () => {
    expect(allowsHooks({ kind: "none" }, "foo")).toBe(false);
    expect(allowsHooks({ kind: "all" }, "foo")).toBe(true);
    expect(allowsHooks({ kind: "named", names: ["foo"] }, "foo")).toBe(true);
    expect(allowsHooks({ kind: "named", names: ["foo"] }, "fo")).toBe(false);
  });

  test("a star beside names widens nothing", () => {
    expect(allowsHooks(config({ ...anthropic, MCP_HOOK_SERVERS: "*,foo" }).hookServers, "bar")).toBe(false);
  });
});

describe("the system prompt", () => {
  const file = { BUZZ_AGENT_SYSTEM_PROMPT_FILE: "/p.md" };

  test("is a short one of ours unless it is set", () => {
    expect(config(anthropic).systemPrompt).toBe(builtInSystemPrompt);
    expect(config({ ...anthropic, BUZZ_AGENT_SYSTEM_PROMPT: "" }).systemPrompt).toBe(builtInSystemPrompt);
    expect(config({ ...anthropic, BUZZ_AGENT_SYSTEM_PROMPT: "Be kind." }).systemPrompt).toBe("Be kind.");
  });

  test("comes from a file", () => {
    expect(config({ ...anthropic, ...file }, files({ "/p.md": "From a file.\n" })).systemPrompt).toBe("From a file.\n");
  });

  test("a file that cannot be read is named with the reason", () => {
    expect(fault({ ...anthropic, ...file })).toBe(
      'turnfold: BUZZ_AGENT_SYSTEM_PROMPT_FILE: "/p.md" cannot be read: ENOENT; accepted: a readable UTF-8 file',
    );
  });

  test("a file of other bytes than UTF-8 is refused", () => {
    const latin1 = () => E.right(Uint8Array.of(0x68, 0xe9));
    expect(fault({ ...anthropic, ...file }, latin1)).toContain('"/p.md" cannot be read: it is not UTF-8');
  });

  test("is not set twice, and a blank variable is not set", () => {
    const both = { ...anthropic, ...file, BUZZ_AGENT_SYSTEM_PROMPT: "Be kind." };
    expect(fault(both)).toContain("BUZZ_AGENT_SYSTEM_PROMPT_FILE: is set beside BUZZ_AGENT_SYSTEM_PROMPT");
    const blank = { ...both, BUZZ_AGENT_SYSTEM_PROMPT: " " };
    expect(config(blank, files({ "/p.md": "f" })).systemPrompt).toBe("f");
  });
});

describe("switches", () => {
  const on = (value: string) => config({ ...anthropic, BUZZ_AGENT_REQUIRE_REPLY: value }).policy.requireReply;

  test("0 is off, 1 to 255 on", () => {
    expect([on("0"), on("1"), on("255"), on("")]).toEqual([false, true, true, false]);
  });

  test.each(["true", "yes", "256", "-1"])("%s is refused", (value) => {
    expect(fault({ ...anthropic, BUZZ_AGENT_REQUIRE_REPLY: value })).toContain("accepted: 0 (off) or 1 (on)");
  });

  test("hints and prompt caching are on unless they are switched off", () => {
    expect(config(anthropic)).toMatchObject({ hints: true, provider: { promptCaching: true } });
    const off = { ...anthropic, BUZZ_AGENT_NO_HINTS: "1", BUZZ_AGENT_PROMPT_CACHING: "0" };
    expect(config(off)).toMatchObject({ hints: false, provider: { promptCaching: false } });
  });

  test("TURNFOLD_PERMISSIONS goes into the policy", () => {
    expect(config({ ...anthropic, TURNFOLD_PERMISSIONS: "Writes" }).policy.permissions).toBe("writes");
    expect(fault({ ...anthropic, TURNFOLD_PERMISSIONS: "sometimes" })).toContain("accepted: never, writes, always");
  });

  test("TURNFOLD_MODELS is a list", () => {
    expect(config({ ...anthropic, TURNFOLD_MODELS: "a, b,*" }).models).toEqual(["a", "b", "*"]);
  });
});

describe("TURNFOLD_MCP_SERVERS", () => {
  const servers = (content: string) =>
    config({ ...anthropic, TURNFOLD_MCP_SERVERS: "/m.json" }, files({ "/m.json": content }));

  test("becomes the list that session/new carries, bad entries included, since each is judged alone", () => {
    const content = JSON.stringify({
      mcpServers: {
        files: { command: "npx", args: ["-y", "x"], env: { A: "1" } },
        bare: { command: "y" },
        remote: { url: "https://example.com/mcp", headers: { h: "v" } },
        odd: 7,
      },
    });
    expect(servers(content).mcpServers).toEqual([
      { name: "files", command: "npx", args: ["-y", "x"], env: [{ name: "A", value: "1" }] },
      { name: "bare", command: "y", args: [], env: [] },
      { name: "remote", type: "http", url: "https://example.com/mcp", headers: [{ name: "h", value: "v" }] },
      { name: "odd", entry: 7 },
    ]);
  });

  test.each([
    ["{", "is not JSON"],
    ["[]", "has no object mcpServers"],
    ['{"mcpServers": []}', "has no object mcpServers"],
    ['{"servers": {}}', "has no object mcpServers"],
  ])("%s: %s", (content, why) => {
    expect(fault({ ...anthropic, TURNFOLD_MCP_SERVERS: "/m.json" }, files({ "/m.json": content }))).toContain(
      `TURNFOLD_MCP_SERVERS: "/m.json" ${why}`,
    );
  });
});

describe("proxies", () => {
  const network = (env: Record<string, string>) => config({ ...anthropic, ...env }).network;

  test("lower case wins, ALL_PROXY fills the gaps, and a bare host means http", () => {
    expect(network({ HTTP_PROXY: "http://upper:1", http_proxy: "http://lower:1" }).httpProxy).toEqual(
      O.some("http://lower:1/"),
    );
    expect(network({ ALL_PROXY: "proxy:3128", HTTPS_PROXY: "https://tls:1" })).toMatchObject({
      httpProxy: O.some("http://proxy:3128/"),
      httpsProxy: O.some("https://tls:1/"),
    });
    expect(network({})).toMatchObject({ httpProxy: O.none, httpsProxy: O.none, noProxy: "" });
  });

  test("SSL_CERT_FILE replaces the authorities, NODE_EXTRA_CA_CERTS adds to them", () => {
    const pem = (name: string) => new TextEncoder().encode(name);
    const both = { ...anthropic, SSL_CERT_FILE: "/a.pem", NODE_EXTRA_CA_CERTS: "/b.pem" };
    const { network } = config(both, files({ "/a.pem": "A", "/b.pem": "B" }));
    expect(network.authorities).toEqual([pem("A"), pem("B")]);
    expect(config({ ...anthropic, NODE_EXTRA_CA_CERTS: "/b.pem" }).network.authorities).toEqual([]);
    expect(fault(both)).toContain('SSL_CERT_FILE: "/a.pem" cannot be read: ENOENT');
  });

  test("a bad one is named, its password is not shown", () => {
    const line = fault({ ...anthropic, HTTPS_PROXY: "socks5://me:hunter2@proxy:1" });
    expect(line).toContain("HTTPS_PROXY: the value is not an http or https URL");
    expect(line).not.toContain("hunter2");
    expect(fault({ ...anthropic, HTTP_PROXY: "http://me:50%@proxy:1" })).toContain("has a broken %");
  });
});

describe("a bad value", () => {
  test("is shown on one line, cut, with control characters escaped", () => {
    const line = fault({ ...anthropic, TURNFOLD_LOG: `\u001b[31m\n${"x".repeat(500)}` });
    expect(line).toContain('TURNFOLD_LOG: "\\u001b[31m\\nxxx');
    // eslint-disable-next-line no-control-regex -- that there is none is the point
    expect(line).not.toMatch(/[\u0000-\u001f]/);
    expect(line.length).toBeLessThan(200);
  });
});

describe("the table of variables", () => {
  test("names every variable once and says what it accepts and means", () => {
    const names = allVariables().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, codec, meaning } of allVariables()) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(codec.accepted).not.toBe("");
      expect(meaning).not.toBe("");
    }
  });

  test("knows each key and token as a secret", () => {
    const secrets = allVariables()
      .filter(({ secret }) => secret)
      .map(({ name }) => name);
    for (const { name } of allVariables())
      expect(secrets.includes(name)).toBe(/KEY$|TOKEN$|AUTH_TAG$|^(HTTPS?|ALL)_PROXY$/.test(name));
  });
});
