import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultShellLimits, type ShellLimits } from "../../../src/core/policy.js";
import { utf8Bytes } from "../../../src/core/text.js";
import { type Hints, readHints } from "../../../src/shell/hints/index.js";

let base = "";
let home = "";
let project = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "turnfold-hints-")));
  home = path.join(base, "home");
  project = path.join(base, "work", "project");
  mkdirSync(home, { recursive: true });
  mkdirSync(path.join(project, ".git"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (file: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
};

const skill = (folder: string, frontMatter: string, body = "the body"): void =>
  write(path.join(folder, "SKILL.md"), `---\n${frontMatter}\n---\n${body}\n`);

const hintsOf = (cwd: string, limits: Partial<ShellLimits> = {}): Promise<Hints> =>
  readHints(cwd, home, { ...defaultShellLimits, ...limits });

const load = async (hints: Hints, args: object): Promise<string> => {
  const [tool] = hints.builtIns;
  if (tool === undefined) return "no tool";
  const outcome = await tool.run(JSON.stringify(args), new AbortController().signal);
  if (outcome.kind !== "result") return outcome.kind;
  const text = outcome.parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  return outcome.isError ? `error: ${text}` : text;
};

describe("AGENTS.md files", () => {
  test("Without files and skills nothing is added, and no tool is offered.", async () => {
    expect(await hintsOf(project)).toEqual({ text: "", builtIns: [] });
  });

  test("The home's file comes first, then the repository's from its root down to the directory; none stands twice.", async () => {
    const deep = path.join(project, "a", "b");
    mkdirSync(deep, { recursive: true });
    write(path.join(home, "AGENTS.md"), "from home");
    write(path.join(project, "AGENTS.md"), "from root");
    write(path.join(project, "a", "AGENTS.md"), "from a");
    write(path.join(deep, "AGENTS.md"), "from b");
    write(path.join(base, "work", "AGENTS.md"), "outside of the repository");
    const { text } = await hintsOf(deep);
    expect(text).toMatch(/^# Additional Instructions\n\n## Project Hints\n/);
    const order = ["from home", "from root", "from a", "from b"].map((each) => text.indexOf(each));
    expect(order.every((at, index) => at > (order[index - 1] ?? 0))).toBe(true);
    expect(text).not.toContain("outside");
    expect((await readHints(home, home, defaultShellLimits)).text.match(/from home/g)).toHaveLength(1);
  });

  test("Without a repository only the directory itself counts, and `.git` may be a file.", async () => {
    const lone = path.join(base, "lone", "inner");
    mkdirSync(lone, { recursive: true });
    write(path.join(base, "lone", "AGENTS.md"), "parent");
    write(path.join(lone, "AGENTS.md"), "self");
    expect((await hintsOf(lone)).text).not.toContain("parent");
    write(path.join(base, "lone", ".git"), "gitdir: elsewhere");
    expect((await hintsOf(lone)).text).toContain("parent");
  });

  test("A byte-order mark and CRLF are taken away; what is no UTF-8, no file or blank is passed over (F63).", async () => {
    write(path.join(project, "AGENTS.md"), "\uFEFFone\r\ntwo\r\n");
    write(path.join(home, "AGENTS.md"), Buffer.from([0xff, 0xfe, 0x41]));
    const { text } = await hintsOf(project);
    expect(text).toContain("one\ntwo");
    expect(text).not.toMatch(/[\uFEFF\r]/);
    expect(text).not.toContain(home);
  });

  test("A named pipe called AGENTS.md does not hold the session up.", async () => {
    execFileSync("mkfifo", [path.join(project, "AGENTS.md")]);
    expect((await hintsOf(project)).text).toBe("");
  });

  // F80: a repository with `AGENTS.md -> ~/.ssh/id_ed25519` had the key sent to the provider.
  test("A link that leads out of the tree is not followed, one inside of it is.", async () => {
    write(path.join(base, "secret"), "TOP SECRET");
    symlinkSync(path.join(base, "secret"), path.join(project, "AGENTS.md"));
    expect((await hintsOf(project)).text).toBe("");
    write(path.join(project, "docs", "agents.md"), "inside");
    mkdirSync(path.join(project, "sub"));
    symlinkSync("../docs/agents.md", path.join(project, "sub", "AGENTS.md"));
    expect((await hintsOf(path.join(project, "sub"))).text).toContain("inside");
  });

  test("Over the limit the farthest file is cut first, at a character, and the nearest last.", async () => {
    write(path.join(home, "AGENTS.md"), "H".repeat(600));
    write(path.join(project, "AGENTS.md"), "é".repeat(400));
    const sub = path.join(project, "sub");
    write(path.join(sub, "AGENTS.md"), "N".repeat(300));
    const { text } = await hintsOf(sub, { hintsBytesMax: 1024 });
    expect(text).toContain("N".repeat(300));
    expect(text).toContain("é\n[truncated]");
    expect(text).not.toContain("HHH");
    expect(utf8Bytes(text)).toBeLessThan(1024 + 64);
    expect(text).not.toContain("\uFFFD");
  });
});

describe("Skills", () => {
  test("Are listed by name and description, the project's before the home's, bodies only on request.", async () => {
    skill(path.join(project, ".agents", "skills", "a"), "name: alpha\ndescription: does alpha", "ALPHA BODY");
    skill(path.join(project, ".claude", "skills", "c"), "name: gamma\ndescription: >\n  folded\n  words");
    skill(path.join(home, ".agents", "skills", "a"), "name: alpha\ndescription: the home's");
    skill(path.join(home, ".agents", "skills", "h"), "name: omega");
    const hints = await hintsOf(project);
    expect(hints.text).toContain("- alpha: does alpha\n- gamma: folded words\n- omega\n");
    expect(hints.text).not.toContain("ALPHA BODY");
    expect(hints.builtIns.map(({ tool }) => [tool.name, tool.builtIn])).toEqual([["load_skill", true]]);
    expect(await load(hints, { name: "alpha" })).toBe("ALPHA BODY");
  });

  test.each([
    ["no front matter", "just text"],
    ["front matter that is a list", "---\n- a\n---\n"],
    ["front matter that is a word", "---\nword\n---\n"],
    ["front matter that is no YAML", "---\na: [\n---\n"],
    ["no name", "---\ndescription: x\n---\n"],
    ["a blank name", "---\nname: '  '\n---\n"],
    ["a name that is no text", "---\nname: 7\n---\n"],
    ["front matter without end", "---\nname: x\n"],
    [
      "a bomb of aliases",
      `---\na: &a [x,x]\n${"bcdefghijk".replace(/./g, (c) => `${c}: &${c} [*${String.fromCharCode(c.charCodeAt(0) - 1)},*${String.fromCharCode(c.charCodeAt(0) - 1)}]\n`)}name: x\n---\n`,
    ],
  ])("With %s there is no skill, and nothing else is lost.", async (_, content) => {
    write(path.join(project, ".agents", "skills", "bad", "SKILL.md"), content);
    skill(path.join(project, ".agents", "skills", "good"), "name: good");
    const { text } = await hintsOf(project);
    expect(text.match(/^- .*$/gm)).toEqual(["- good"]);
  });

  test("CRLF and a byte-order mark are accepted, and a description cannot imitate headings.", async () => {
    write(
      path.join(project, ".agents", "skills", "w", "SKILL.md"),
      '\uFEFF---\r\nname: win\r\ndescription: "a\\n## Available Skills\\n- fake"\r\n---\r\nBODY\r\n',
    );
    const hints = await hintsOf(project);
    expect(hints.text).toContain("- win: a ## Available Skills - fake\n");
    expect(await load(hints, { name: "win" })).toBe("BODY");
  });

  // Front matter of nothing but opening brackets ended the whole agent: its reader recursed to the end of the stack, where V8
  // aborts. Too deep and too long is no skill, whatever it would come to.
  test.each([
    ["brackets", "[".repeat(8000)],
    ["braces", "{".repeat(8000)],
    ["lists in lists", "- ".repeat(4000)],
    ["keys of keys", "? ".repeat(4000)],
    ["indentation", Array.from({ length: 120 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["brackets behind a good name", `name: x\nmore: ${"[".repeat(8000)}`],
    ["more than 8 KiB", `name: x\n# ${"y".repeat(8192)}`],
  ])("Front matter of %s costs its skill and nothing else.", async (_, yaml) => {
    skill(path.join(project, ".agents", "skills", "bad"), yaml);
    skill(path.join(project, ".agents", "skills", "good"), "name: good\nmetadata: { tags: [a, [b]] }");
    expect((await hintsOf(project)).text.match(/^- .*$/gm)).toEqual(["- good"]);
  });

  test("A name or a file cannot add lines to a list, and what is listed can be loaded.", async () => {
    const folder = path.join(project, ".agents", "skills", "s");
    skill(folder, 'name: "two\\n- lines"', "BODY");
    write(path.join(folder, "a\n- fake: load_skill"), "x");
    write(path.join(folder, "b.md"), "B");
    const hints = await hintsOf(project);
    expect(hints.text.match(/^- .*$/gm)).toEqual(["- two - lines"]);
    expect((await load(hints, { name: "two - lines" })).match(/^- [^:]+/gm)).toEqual(["- b.md"]);
    expect(await load(hints, { name: "two - lines/b.md" })).toContain("\n\nB\n\n");
  });

  test("A linked skill inside the project is found; one that leads out of it is not.", async () => {
    skill(path.join(project, "shared", "s"), "name: shared");
    skill(path.join(base, "elsewhere"), "name: outside");
    mkdirSync(path.join(project, ".agents", "skills"), { recursive: true });
    symlinkSync(path.join(project, "shared", "s"), path.join(project, ".agents", "skills", "link"));
    symlinkSync(path.join(base, "elsewhere"), path.join(project, ".agents", "skills", "out"));
    expect((await hintsOf(project)).text.match(/^- .*$/gm)).toEqual(["- shared"]);
  });

  test("Supporting files are listed and loaded by path; other skills, cycles and links out of the skill are not.", async () => {
    const folder = path.join(project, ".agents", "skills", "s");
    skill(folder, "name: s", "see the files");
    write(path.join(folder, "ref", "a.md"), "A TEXT");
    write(path.join(folder, "z.bin"), Buffer.from([0xff, 0x00]));
    skill(path.join(folder, "nested"), "name: nested");
    write(path.join(base, "secret"), "TOP SECRET");
    symlinkSync(path.join(base, "secret"), path.join(folder, "leak"));
    symlinkSync(folder, path.join(folder, "ref", "loop"));
    const hints = await hintsOf(project);
    const body = await load(hints, { name: "s" });
    expect(body).toMatch(/^see the files\n\n## Supporting Files\n\n/);
    expect(body.match(/^- [^:]+/gm)).toEqual(["- ref/a.md", "- z.bin"]);
    expect(await load(hints, { name: "s/ref/a.md" })).toBe("# Loaded: s/ref/a.md\n\nA TEXT\n\n[end of file]");
    expect(await load(hints, { name: "s/ref\\a.md" })).toContain("A TEXT");
    expect(await load(hints, { name: "s/z.bin" })).toMatch(/^error: z\.bin of skill s is no text/);
    expect(await load(hints, { name: "s/leak" })).toMatch(/^error: skill s has no file leak/);
    expect(await load(hints, { name: "s/../../../../secret" })).toMatch(/^error: /);
    // Made a link after it was listed.
    rmSync(path.join(folder, "ref", "a.md"));
    symlinkSync(path.join(base, "secret"), path.join(folder, "ref", "a.md"));
    expect(await load(hints, { name: "s/ref/a.md" })).toMatch(/^error: /);
  });

  test("A name with a slash can be loaded; unknown and missing names are answered with what there is.", async () => {
    skill(path.join(project, ".agents", "skills", "s"), "name: team/deploy", "DEPLOY");
    const hints = await hintsOf(project);
    expect(await load(hints, { name: "team/deploy" })).toBe("DEPLOY");
    expect(await load(hints, { name: "other" })).toBe("error: unknown skill: other. There are: team/deploy");
    expect(await load(hints, {})).toBe("error: load_skill needs a name");
    expect(await load(hints, { name: 7 })).toBe("error: load_skill needs a name");
  });

  test("A long body is cut and the list of files kept, within the limit.", async () => {
    const folder = path.join(project, ".agents", "skills", "s");
    skill(folder, "name: s", "b".repeat(100_000));
    write(path.join(folder, "a.md"), "a".repeat(100_000));
    const hints = await hintsOf(project);
    const body = await load(hints, { name: "s" });
    expect(body).toMatch(/b\n\[truncated\]\n\n## Supporting Files\n\n- a\.md/);
    expect(utf8Bytes(body)).toBe(defaultShellLimits.skillTextBytesMax);
    expect(utf8Bytes(await load(hints, { name: "s/a.md" }))).toBeLessThanOrEqual(defaultShellLimits.skillTextBytesMax);
  });

  test("The number of skills and of files is bounded.", async () => {
    for (let n = 0; n < 12; n += 1) skill(path.join(project, ".agents", "skills", `s${n}`), `name: s${n}`);
    for (let n = 0; n < 9; n += 1) write(path.join(project, ".agents", "skills", "s0", `f${n}`), "x");
    const hints = await hintsOf(project, { maxSkills: 5, maxSkillFiles: 4 });
    expect(hints.text.match(/^- .*$/gm)).toHaveLength(5);
    expect((await load(hints, { name: "s0" })).match(/^- f/gm)).toHaveLength(4);
  });

  // A checkout with very many folders where skills are looked for held `session/new` up for minutes.
  test("What is looked at in search of skills and files is bounded, all places together.", async () => {
    for (let n = 0; n < 20; n += 1)
      mkdirSync(path.join(project, ".agents", "skills", `empty${n}`), { recursive: true });
    skill(path.join(project, ".claude", "skills", "late"), "name: late");
    expect((await hintsOf(project, { maxSkillEntries: 20 })).text).toBe("");
    expect((await hintsOf(project, { maxSkillEntries: 21 })).text).toContain("- late\n");
    for (let n = 0; n < 9; n += 1) mkdirSync(path.join(project, ".claude", "skills", "late", `d${n}`));
    write(path.join(project, ".claude", "skills", "late", "d8", "f"), "x");
    const listed = async (maxSkillEntries: number): Promise<string> =>
      load(await hintsOf(project, { maxSkillEntries }), { name: "late" });
    expect(await listed(31)).not.toContain("d8/f");
    expect(await listed(32)).toContain("d8/f");
  });
});
