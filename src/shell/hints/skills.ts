/**
 * Finding skills: directories with a `SKILL.md` in a few known places, the project's before the home's. Most sessions have none
 * of the places, and then this is all that is read.
 */
import { join } from "node:path";
import type { ShellLimits } from "../../core/policy.js";
import { isDirectory } from "../fileCalls.js";
import type { Place, Skill } from "./readSkills.js";

/** `root` is the project's. */
export const findSkills = async (
  cwd: string,
  root: string,
  home: string | undefined,
  limits: ShellLimits,
): Promise<readonly Skill[]> => {
  const places: readonly Place[] = [
    ...[".agents", ".goose", ".claude"].map((folder) => ({ folder: join(cwd, folder, "skills"), tree: root })),
    ...(home === undefined ? [] : [{ folder: join(home, ".agents", "skills"), tree: home }]),
  ];
  const found = places.filter(({ folder }) => isDirectory(folder));
  if (found.length === 0) return [];
  const { readSkills } = await import("./readSkills.js");
  return readSkills(found, limits);
};
