import { fc } from "./fastCheck.js";
import { describe, expect, test } from "vitest";
import { isServerName, qualifiedName } from "../../../src/shell/mcp/names.js";
import { runs } from "./fastCheck.js";

const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;

const serverName = fc
  .stringMatching(/^[A-Za-z0-9_-]{1,128}$/)
  .map((name) => name.replace(/__+/g, "_"))
  .filter(isServerName);

/** Names that are legal, names that are nearly shortened ones, and any sequence of UTF-16 units whatever. */
const toolName = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,70}$/),
  fc.stringMatching(/^[a_-]{1,6}$/),
  fc.stringMatching(/^[a-z]{0,5}--[0-9a-z]{25}$/),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
);

describe("The map of qualified names", () => {
  test("Gives every server and tool a name of the alphabet and length that providers take.", () => {
    fc.assert(
      fc.property(serverName, toolName, (server, tool) => {
        expect(qualifiedName(server, tool)).toMatch(LEGAL);
      }),
      runs,
    );
  });

  // Kills: cutting without a digest, replacing characters without one, and a plain join ("a_" with "b", "a" with "_b").
  test("Gives different tools different names, whatever they are called.", () => {
    const few = fc.record({ server: fc.oneof(serverName, fc.constantFrom("a", "a_", "_", "-", "a-")), tool: toolName });
    fc.assert(
      fc.property(
        fc.uniqueArray(few, { minLength: 2, maxLength: 20, selector: (one) => JSON.stringify(one) }),
        (all) => {
          expect(new Set(all.map(({ server, tool }) => qualifiedName(server, tool))).size).toBe(all.length);
        },
      ),
      runs,
    );
  });

  test("Knows every pair of short names over the letters that matter apart.", () => {
    const words = (length: number): readonly string[] =>
      length === 0 ? [""] : words(length - 1).flatMap((word) => ["a", "_", "-"].map((letter) => word + letter));
    const tools = [1, 2, 3, 4].flatMap(words);
    const servers = tools.filter(isServerName);
    const names = servers.flatMap((server) => tools.map((tool) => qualifiedName(server, tool)));
    expect(new Set(names).size).toBe(servers.length * tools.length);
  });

  test("Leaves legal names alone, keeps shortened ones readable, and lets no plain name look like a shortened one.", () => {
    expect(qualifiedName("files", "read_file")).toBe("files__read_file");
    expect(qualifiedName("files", "naïve tool/💡")).toMatch(/^files__na_ve_tool___--[0-9a-z]{25}$/);
    expect(qualifiedName("s", "t".repeat(200))).toMatch(/^s__t{34}--[0-9a-z]{25}$/);
    const shortened = qualifiedName("s", "t".repeat(200));
    // A tool that takes the very name that another one was given.
    expect(qualifiedName("s", shortened.slice(3))).not.toBe(shortened);
  });

  test("Is the same in every run: these were computed once and written down.", () => {
    expect(qualifiedName("s", "")).toBe("s__--1m703co2bmf6qkhog28yjjred");
    expect(qualifiedName("a_", "b")).toBe("a___b--0orgvzbam6onxmkpkj9p4qzhc");
  });
});
