// Builds everything that is published:
//
//   dist/turnfold.js      the program's entry with shebang and run bit: all that answers `initialize`, and the command line
//   dist/chunks/          what the entry loads later through import(), one file for each dynamic import
//   dist/lib/             the library: one file for each public part, what they share, and the declarations
//   dist/THIRD-PARTY.txt  the licences of the packages that were bundled into the program
//   dist/package.json     says that the program is CommonJS, wherever dist is copied to; dist/lib/package.json, that the
//                         library is ES modules
//
// The program needs no node_modules: every package is in its chunks. The library imports its packages as usual. The program
// is CommonJS because Node reads that with less ado: its ES loader alone takes a sixth of the time that Node needs to start.

import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { subsets, wasmFiles } from "./subsets.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "dist");
/** What the compiler writes, before it is gathered. */
const declared = path.join(dist, "declared");

/** @typedef {import("rolldown").Plugin} Plugin */
/** @typedef {{ entryBytes: number, chunks: number, chunkBytes: number, milliseconds: number }} BuildResult */

/**
 * fp-ts ships every module twice and has no exports map. Sources name the CommonJS copy, which plain Node can import;
 * the bundle takes the ES copy, the only one that loses what nobody uses (3 KB instead of 46 KB for two modules).
 * @type {Plugin}
 */
const fpTsEs6 = {
  name: "fp-ts-es6",
  resolveId: {
    filter: { id: /^fp-ts\/lib\// },
    handler(id, importer) {
      return this.resolve(id.replace(/^fp-ts\/lib\//, "fp-ts/es6/"), importer);
    },
  },
};

/**
 * Of the price list the program needs the prices alone, and as a text: what is no code need not be compiled by whoever
 * does not need it.
 * @type {Plugin}
 */
const pricesAsText = {
  name: "prices-as-text",
  transform: {
    filter: { id: /\/usage\/prices\.json$/u },
    handler(code) {
      /** @type {{ records: Record<string, unknown>[] }} */
      const { records } = JSON.parse(code);
      const needed = records.map(({ authority, model, usdPerMillionTokens }) => ({
        authority,
        model,
        usdPerMillionTokens,
      }));
      const text = JSON.stringify(JSON.stringify(needed));
      return { code: `export default { get records() { return JSON.parse(${text}); } };`, moduleType: "js" };
    },
  },
};

/**
 * The minifier writes every text as a template, and V8 takes a tenth longer to compile a file of those than one of strings.
 * @type {Plugin}
 */
const plainTexts = {
  name: "plain-texts",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.type === "chunk") file.code = withPlainTexts(file.code);
  },
};

/** @param {string} code */
function withPlainTexts(code) {
  let plain = "";
  let kept = 0;
  for (const { start, end, text } of textsIn(parseAst(code)).toSorted((a, b) => a.start - b.start)) {
    plain += code.slice(kept, start) + JSON.stringify(text).replace(/[^\0-\u007f]/g, escaped);
    kept = end;
  }
  return plain + code.slice(kept);
}

/** @param {string} unit */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Templates without expressions, of which nobody can see that they are templates.
 * @param {any} node
 * @returns {{ start: number, end: number, text: string }[]}
 */
function textsIn(node) {
  if (typeof node !== "object" || node === null) return [];
  if (node.type === "TaggedTemplateExpression") return [node.tag, ...node.quasi.expressions].flatMap(textsIn);
  if (node.type === "TemplateLiteral" && node.expressions.length === 0)
    return [{ start: node.start, end: node.end, text: node.quasis[0].value.cooked }];
  return Object.values(node).flatMap(textsIn);
}

/**
 * A package that cannot be found would stay in the bundle as it is and fail on a user's machine. The bundler warns of
 * an import; a require() inside of try, which packages use for optional parts, it passes over in silence.
 * @type {Plugin}
 */
const everythingIsFound = {
  name: "everything-is-found",
  resolveId: {
    filter: { id: /^[^./\0]/ },
    async handler(id, importer, { kind }) {
      if (importer === undefined || isBuiltin(id) || id.startsWith("node:")) return null;
      const found = await this.resolve(id, importer, { kind, skipSelf: true });
      if (found === null) throw new Error(`${id}, asked for by ${importer}, is not installed and cannot be bundled.`);
      return found;
    },
  },
};

/**
 * @param {string} version
 * @returns {import("rolldown").InputOptions}
 */
const settings = (version) => ({
  cwd: root,
  platform: "node",
  tsconfig: path.join(root, "tsconfig.json"),
  // Two calls that fp-ts forgot to mark: without them half of its modules are left out of the entry.
  treeshake: { manualPureFunctions: ["asUnit_", "tapEither_"] },
  transform: { target: "node20", define: { __TURNFOLD_VERSION__: JSON.stringify(version) } },
  // The Node build of yaml is CommonJS, of which nothing can be left out; the other one does the same.
  resolve: { mainFields: ["module", "main"], alias: { yaml: path.join(root, "node_modules/yaml/browser/index.js") } },
  plugins: [subsets, wasmFiles, pricesAsText, fpTsEs6, everythingIsFound, plainTexts],
  onLog(level, log) {
    // An import that cannot be resolved is left as it is and only warned about; it would fail on a user's machine.
    if (level === "warn") throw new Error(`${log.code ?? "warning"}: ${log.message}`);
  },
});

/** @type {import("rolldown").OutputOptions} */
const form = {
  format: "cjs",
  // Names of functions and classes survive, so that a stack trace in a report can be read.
  minify: {
    compress: true,
    mangle: { keepNames: true },
    // V8 keeps a file in half the memory if it has no character beyond Latin-1. What is read at a start would otherwise be most
    // of what makes it clean up in the middle of that.
    codegen: { asciiOnly: true },
  },
  comments: { legal: false, annotation: false, jsdoc: false },
};

/**
 * @param {string} version
 * @returns {Promise<Omit<BuildResult, "milliseconds">>}
 */
async function buildProgram(version) {
  const bundle = await rolldown({
    ...settings(version),
    // Large, no CommonJS, and asked for by one command only (src/shell/simulate/report/plots.ts).
    external: "@observablehq/plot",
    input: { turnfold: "src/shell/main.ts" },
    // What the entry shares with its chunks stays in the entry, which may get exports for that. Otherwise it would be
    // moved to a chunk of its own, one more file to read before the first answer.
    preserveEntrySignatures: "allow-extension",
  });
  const { output } = await bundle.write({
    ...form,
    dir: dist,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // All that is read before the first answer is one file, and all that is read for a session without servers is another,
    // whatever else shares parts of them: a file costs more than a few kilobytes (21 files took half as long again as one).
    codeSplitting: {
      includeDependenciesRecursively: true,
      groups: [
        { name: "start", tags: ["$initial"], priority: 2 },
        { name: "session", test: /src\/shell\/(?:acp\/server|agent\/main)\.ts$/u, priority: 1 },
        // What follows the first answer to session/new: the rest of the server, and the reducer.
        { name: "turnCode", test: /src\/shell\/acp\/turnCode\.ts$/u },
        { name: "runtime", test: /src\/shell\/agent\/runtime\.ts$/u },
      ],
    },
  });
  await bundle.close();

  const chunks = output.filter((file) => file.type === "chunk");
  const entry = chunks.find((chunk) => chunk.isEntry);
  if (entry === undefined) throw new Error("The bundle has no entry.");
  const eager = entry.imports.filter((name) => name.startsWith("chunks/"));
  if (eager.length > 0)
    throw new Error(`The entry must load chunks through import() only, but imports ${eager.join(", ")}.`);
  if (!entry.code.startsWith("#!/usr/bin/env node\n"))
    throw new Error("src/shell/main.ts must begin with #!/usr/bin/env node");
  await chmod(path.join(dist, entry.fileName), 0o755);
  await writeFile(
    path.join(dist, "THIRD-PARTY.txt"),
    await thirdPartyNotices(chunks.flatMap((chunk) => chunk.moduleIds)),
  );

  const size = (/** @type {{ code: string }} */ chunk) => Buffer.byteLength(chunk.code);
  return {
    entryBytes: size(entry),
    chunks: chunks.length - 1,
    chunkBytes: chunks.filter((chunk) => chunk !== entry).reduce((sum, chunk) => sum + size(chunk), 0),
  };
}

/**
 * Bundling copies other people's code; their licences ask that their texts go with it.
 * @param {readonly string[]} moduleIds
 */
async function thirdPartyNotices(moduleIds) {
  const marker = `${path.sep}node_modules${path.sep}`;
  /** @type {Set<string>} */
  const folders = new Set();
  for (const id of moduleIds) {
    const at = id.lastIndexOf(marker);
    if (at < 0) continue;
    const [first = "", second = ""] = id.slice(at + marker.length).split(path.sep);
    folders.add(path.join(id.slice(0, at), "node_modules", first.startsWith("@") ? path.join(first, second) : first));
  }
  const notices = await Promise.all(
    [...folders].map(async (folder) => {
      const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
      const file = (await readdir(folder)).find((name) => /^(licen[cs]e|copying)/i.test(name));
      const text = file === undefined ? "" : await readFile(path.join(folder, file), "utf8");
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text.trim()}\n`;
    }),
  );
  return notices.toSorted().join(`\n${"-".repeat(80)}\n\n`);
}

/**
 * The compiler checks that the library needs nothing of its host and writes the declarations; the bundler writes the code, one
 * file for each public part and what they share. Without comments: those are for whoever reads the declarations.
 */
async function buildLibrary() {
  const { exports } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const parts = Object.values(exports).flatMap((each) => (typeof each === "string" ? [] : [each.default]));
  const names = parts.map((file) => path.relative("dist/lib", file).replace(/\.js$/u, ""));
  await Promise.all([declareLibrary(names), bundleLibrary(names)]);
}

/** @param {readonly string[]} names of the entries, such as `core/index` */
async function bundleLibrary(names) {
  const bundle = await rolldown({
    cwd: root,
    platform: "neutral",
    tsconfig: path.join(root, "tsconfig.json"),
    input: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
    external: /^[^./\0]/u,
  });
  await bundle.write({
    dir: path.join(dist, "lib"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    minify: { compress: true, mangle: true, codegen: true },
    // Annotations tell the bundlers of others what they may leave out.
    comments: { legal: false, annotation: true, jsdoc: false },
  });
  await bundle.close();
}

/** @param {readonly string[]} names */
async function declareLibrary(names) {
  // The package has no JavaScript interface; its command is a native program behind a small launcher.
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    await promisify(execFile)(process.execPath, [tsc, "-p", "tsconfig.build.json", "--pretty", "false"], { cwd: root });
  } catch (error) {
    const output = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`The library does not compile.\n${output.stdout ?? ""}${output.stderr ?? ""}`, { cause: error });
  }
  await gatherDeclarations(names);
}

/**
 * Declarations of a hundred small files weigh half as much in one, where they are modules of the names that they would have
 * below `turnfold/`. A public file refers to that one. What no public declaration names, at whatever distance, is left out.
 * @param {readonly string[]} names
 */
async function gatherDeclarations(names) {
  const lib = path.join(dist, "lib");
  const read = (/** @type {string} */ name) => readFile(path.join(declared, `${name}.d.ts`), "utf8");
  const reached = new Set(names);
  let gathered = "";
  // A set that grows while it is walked is walked to its new end.
  for (const name of reached) {
    const text = (await read(name)).replace(
      /(?<=\b(?:from |import\())"(\.[^"]+)\.js"/gu,
      (_, /** @type {string} */ to) => {
        const other = path.posix.join(path.posix.dirname(name), to);
        reached.add(other);
        return `"turnfold/${other}"`;
      },
    );
    gathered += `declare module "turnfold/${name}" {\n${text.replace(/^(export )?declare /gmu, "$1")}}\n`;
  }
  await rm(declared, { recursive: true });
  await mkdir(lib, { recursive: true });
  await writeFile(path.join(lib, "declarations.d.ts"), gathered);
  for (const name of names) {
    const reference = `/// <reference path="../declarations.d.ts" />\nexport * from "turnfold/${name}";\n`;
    await mkdir(path.join(lib, path.dirname(name)), { recursive: true });
    await writeFile(path.join(lib, `${name}.d.ts`), reference);
  }
}

/**
 * @param {string} folder
 * @param {object} manifest
 */
async function writeManifest(folder, manifest) {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
}

/** @returns {Promise<BuildResult>} */
export async function build() {
  const started = performance.now();
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  await rm(dist, { recursive: true, force: true });
  // Bundlers of those who use the library look for `sideEffects` in the nearest manifest, which is the library's own.
  await writeManifest(dist, { type: "commonjs" });
  await writeManifest(path.join(dist, "lib"), { type: "module", sideEffects: false });
  const [program] = await Promise.all([buildProgram(version), buildLibrary()]);
  return { ...program, milliseconds: Math.round(performance.now() - started) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await build();
  const kib = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  // The report goes to stderr: whoever builds on the way to something else keeps a clean stdout.
  console.error(
    `built dist in ${result.milliseconds} ms: entry ${kib(result.entryBytes)}, ${result.chunks} chunks of ${kib(result.chunkBytes)}`,
  );
}
