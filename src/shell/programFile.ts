/** The file that this process runs: threads start in it as well, under a command of their own (`cli/commands.ts`). */
import { realpathSync } from "node:fs";

export const programFile = (): string => realpathSync(process.argv[1] ?? "");
