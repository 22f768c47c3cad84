// What works under vitest or a bundler can still fail in plain Node (deep imports of fp-ts, a file that the whitelist
// of package.json forgets, a bin without its run bit). So the package is packed, installed in an empty project as npm
// would, and used from there.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { parseAst } from "rolldown/parseAst";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly types: string } | string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

let project: string;
let manifest: Manifest;

beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), "turnfold-package-"));
  manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as Manifest;
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
    cwd: root,
  });
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string; readonly integrity: string }[];
  if (packed === undefined) throw new Error(`npm pack reported nothing: ${stdout}`);
  await writeProject(packed.filename, packed.integrity);
  // Everything but our own tarball has been installed in this repository before, so npm finds it in its cache by digest.
  await run("npm", ["ci", "--prefer-offline", "--ignore-scripts"], { cwd: project });
}, 180_000);

afterAll(() => rm(project, { recursive: true, force: true }));

/** A project that depends on the tarball and, for `turnfold/testing`, on its optional peer; with our locked versions. */
async function writeProject(tarball: string, integrity: string): Promise<void> {
  const lock = JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8")) as Lock;
  const peer = lock.packages["node_modules/fast-check"]?.["version"];
  const asked = {
    name: "consumer",
    version: "0.0.0",
    type: "module",
    dependencies: { turnfold: `file:${tarball}`, "fast-check": peer },
  };
  const ours = lock.packages[""] ?? {};
  const installed: readonly (readonly [string, unknown])[] = Object.entries(lock.packages)
    .filter(([name, entry]) => name !== "" && (entry["dev"] !== true || /\/(?:fast-check|pure-rand)$/.test(name)))
    .map(([name, { dev: _dev, ...entry }]) => [name, entry] as const);
  await writeFile(path.join(project, "package.json"), JSON.stringify(asked));
  await writeFile(
    path.join(project, "package-lock.json"),
    JSON.stringify({
      ...asked,
      lockfileVersion: lock.lockfileVersion,
      requires: true,
      packages: {
        "": asked,
        "node_modules/turnfold": {
          version: manifest.version,
          resolved: `file:${tarball}`,
          integrity,
          dependencies: manifest.dependencies,
          bin: ours["bin"],
          peerDependencies: ours["peerDependencies"],
          peerDependenciesMeta: ours["peerDependenciesMeta"],
        },
        ...Object.fromEntries(installed),
      },
    }),
  );
}

const entryPoints = () =>
  Object.keys(manifest.exports)
    .filter((name) => name !== "./package.json")
    .map((name) => path.posix.join("turnfold", name));

test("every public entry point of the installed package is imported by plain Node", async () => {
  for (const name of entryPoints()) {
    const script = `import * as all from ${JSON.stringify(name)}; console.log(Object.keys(all).length);`;
    const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
    expect(stderr, name).toBe("");
    expect(Number(stdout), name).toBeGreaterThan(0);
  }
});

test("the declarations of the installed package satisfy a strict compiler", async () => {
  const lines = entryPoints().map((name, index) => `export * as part${index} from ${JSON.stringify(name)};`);
  // Where the declarations are lost, everything is `any`, and nothing is an error any more.
  const misuse = `import { step } from "turnfold";\n// @ts-expect-error -- a number is no session\nstep(1, { type: "closeRequested", drainMs: 0 });`;
  await writeFile(path.join(project, "consumer.ts"), [...lines, misuse].join("\n"));
  const options = [
    "--strict",
    "--noEmit",
    "--target",
    "es2023",
    "--module",
    "nodenext",
    "--exactOptionalPropertyTypes",
  ];
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = await run(process.execPath, [tsc, ...options, "--types", "", "consumer.ts"], { cwd: project });
  expect(stdout).toBe("");
});

test("the installed command starts and says its version", async () => {
  const { stdout, stderr } = await run(path.join(project, "node_modules", ".bin", "turnfold"), ["--version"]);
  expect(stdout + stderr).toContain(manifest.version);
});

test("all that is built is at most 400 KiB, each file packed by gzip", async () => {
  const dist = path.join(project, "node_modules", "turnfold", "dist");
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const packed = await Promise.all(files.map(async (file) => gzipSync(await readFile(file), { level: 9 }).length));
  expect(packed.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(400 * 1024);
});

/** Too large to be bundled for the one command that asks for it, which goes on without it. */
const BESIDE = "@observablehq/plot";

test("the program imports nothing but Node's own modules, its chunks and the plotting library", async () => {
  const dist = path.join(project, "node_modules", "turnfold", "dist");
  const chunks = (await readdir(path.join(dist, "chunks"))).filter((name) => name.endsWith(".js"));
  let found = 0;
  for (const file of ["turnfold.js", ...chunks.map((name) => path.join("chunks", name))]) {
    const names = importedNames(await readFile(path.join(dist, file), "utf8"));
    expect(
      names.filter((name) => !/^(?:node:|\.{1,2}\/)/.test(name) && !isBuiltin(name) && name !== BESIDE),
      file,
    ).toEqual([]);
    found += names.length;
  }
  // Each chunk is required from somewhere, so that the words are the right ones.
  expect(found).toBeGreaterThanOrEqual(chunks.length);
});

test("a copy of the program without its packages simulates, and says in one line why there is no report", async () => {
  const copy = path.join(project, "copy");
  await cp(path.join(project, "node_modules", "turnfold", "dist"), copy, { recursive: true });
  await writeFile(path.join(copy, "scenario.json"), "{}");
  // Beside no node_modules: what lies above a temporary folder is not asked.
  const elsewhere = await mkdtemp(path.join(os.tmpdir(), "turnfold-alone-"));
  try {
    await rename(copy, path.join(elsewhere, "dist"));
    const simulate = (program: string, out: string) =>
      run(process.execPath, [
        program,
        "simulate",
        path.join(elsewhere, "dist/scenario.json"),
        "--sessions",
        "5",
        "--out",
        out,
      ]);
    const alone = await simulate(path.join(elsewhere, "dist/turnfold.js"), path.join(elsewhere, "alone"));
    expect(alone.stderr).toContain(
      "no report.html: the package @observablehq/plot is not installed beside the program",
    );
    expect((await readdir(path.join(elsewhere, "alone"))).toSorted()).toEqual([
      "metrics.json",
      "run.json",
      "sessions.ndjson",
    ]);
    const installed = await simulate(
      path.join(project, "node_modules/turnfold/dist/turnfold.js"),
      path.join(elsewhere, "installed"),
    );
    expect(installed.stderr).not.toContain("report.html");
    expect(await readdir(path.join(elsewhere, "installed"))).toContain("report.html");
    expect(installed.stdout).toBe(alone.stdout);
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
}, 60_000);

interface Node {
  readonly type?: string;
  readonly source?: { readonly value?: unknown };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly { readonly value?: unknown }[];
}

/** Everything a built file imports or requires, at once or later. */
function importedNames(text: string): readonly string[] {
  const names: string[] = [];
  JSON.stringify(parseAst(text, { lang: "js", sourceType: "commonjs" }), (_, node: unknown) => {
    const { type = "", source, callee, arguments: args } = (node ?? {}) as Node;
    const imports = /^(?:Import|Export).*(?:Declaration|Expression)$/.test(type);
    const requires = type === "CallExpression" && callee?.name === "require";
    const name = imports ? source?.value : requires ? args?.[0]?.value : undefined;
    if (typeof name === "string") names.push(name);
    // JSON knows no bigint, which is what a literal such as 1n parses to.
    return typeof node === "bigint" ? String(node) : node;
  });
  return names;
}
