/**
 * Windows cannot start `npx` and its like by name: they are `.cmd` files, found by PATHEXT and run by the command interpreter
 * alone. Written to the documented rules, not tried on that system.
 */
import { existsSync } from "node:fs";
import { win32 } from "node:path";
import type { Command } from "./process.js";

interface Startable {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are one command line already; Node must not quote them again. */
  readonly verbatim: boolean;
}

const variable = (command: Command, name: string): string =>
  Object.entries(command.env).find(([key]) => key.toUpperCase() === name)?.[1] ?? "";

export const windowsCommand = (command: Command): Startable => {
  const file = findFile(command);
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args: command.args, verbatim: false };
  const line = [file, ...command.args].map(quoted).join(" ");
  return { file: variable(command, "COMSPEC") || "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
};

const findFile = (command: Command): string => {
  const endings = ["", ...(variable(command, "PATHEXT") || ".COM;.EXE;.BAT;.CMD").split(";")];
  const asIs = /[\\/]/.test(command.command);
  const folders = asIs ? [command.cwd] : [command.cwd, ...variable(command, "PATH").split(";").filter(Boolean)];
  // A file without an ending is no program here (npm puts a shell script of the same name beside its `.cmd`).
  const usable = win32.extname(command.command) === "" ? endings.slice(1) : endings;
  const candidates = folders.flatMap((folder) =>
    usable.map((ending) => win32.resolve(folder, command.command + ending)),
  );
  return candidates.find((path) => existsSync(path)) ?? command.command;
};

/** One argument as the C run time reads it, with what the interpreter would act on escaped for it. */
const quoted = (argument: string): string =>
  `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`.replace(/[()%!^"<>&|]/g, "^$&");
