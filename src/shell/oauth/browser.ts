/** Opens an address in the person's browser, where there is one. Whether it worked is not known; the address is shown as well. */
import { spawn } from "node:child_process";

const opener = (url: string): readonly [string, readonly string[]] => {
  if (process.platform === "darwin") return ["open", [url]];
  // `start` would take its first quoted argument for a title, and `&` for the end of the command.
  return process.platform === "win32" ? ["rundll32", ["url.dll,FileProtocolHandler", url]] : ["xdg-open", [url]];
};

export const openBrowser = (url: string): void => {
  const [program, args] = opener(url);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
};
