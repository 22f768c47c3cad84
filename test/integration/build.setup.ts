import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "../../scripts/build.mjs";

/**
 * Integration tests drive the built program, so it is built from the sources at hand before the first of them. Their folders lie
 * in one, which is removed after the last: thousands were left behind by a day of runs.
 */
export async function setup(): Promise<() => void> {
  await build();
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(path.join(tmpdir(), "turnfold-tests-"));
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
