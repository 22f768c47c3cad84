// Modules of ours, loaded from their TypeScript sources into this process, so that parts of the shell can be measured without the
// rest of it. Packages stay what they are in node_modules.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = path.join(root, "node_modules/.cache");

/**
 * Bundled together, so that they share what they have in common.
 * @param {Readonly<Record<string, string>>} entries names and the files they stand for, relative to the repository
 * @returns {Promise<any>} by name, each module's exports
 */
export async function sources(entries) {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, "bench-"));
  // Parts are loaded when they are needed, like the program's own chunks, so the files stay until the end.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: "node",
    external: /^[^./\0]/u,
    transform: { define: { __TURNFOLD_VERSION__: JSON.stringify("0.0.0-bench") } },
    logLevel: "warn",
  });
  await bundle.write({ dir: folder, entryFileNames: "[name].mjs", chunkFileNames: "chunk-[hash].mjs" });
  await bundle.close();
  /** @type {Record<string, unknown>} */
  const modules = {};
  for (const name of Object.keys(entries))
    modules[name] = await import(pathToFileURL(path.join(folder, `${name}.mjs`)).href);
  return modules;
}
