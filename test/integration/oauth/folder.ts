import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder of its own for one test. */
export const folder = (): string => {
  const made = mkdtempSync(path.join(tmpdir(), "turnfold-oauth-"));
  onTestFinished(() => {
    rmSync(made, { recursive: true, force: true });
  });
  return made;
};
