/**
 * The real llama-server with a toy model: an independent reader of our requests and writer of our replies, which counts tokens
 * for real. It is installed by the scripts of the project's shared folder beside the checkout, into test/peers/llama.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installOnce } from "./installOnce.js";

const scripts = fileURLToPath(new URL("../../../shared/tools/toy-model/", import.meta.url));
const home = fileURLToPath(new URL("../peers/llama/", import.meta.url));
const run = promisify(execFile);

export type Installed = { readonly kind: "installed" } | { readonly kind: "missing"; readonly why: string };

/** Installs the server and writes the model where that has not been done. Takes half a minute the first time. */
export const installLlama = async (): Promise<Installed> => {
  if (!existsSync(`${scripts}install.sh`)) return { kind: "missing", why: "no toy-model scripts beside the checkout" };
  try {
    await installOnce(
      `${home.slice(0, -1)}.lock`,
      () => existsSync(`${home}root/usr/bin/llama-server`) && existsSync(`${home}toy.gguf`),
      async () => {
        await mkdir(home, { recursive: true });
        await run("bash", [`${scripts}install.sh`, home], { timeout: 240_000 });
        await run("python3", [`${scripts}make-model.py`, `${home}toy.gguf`]);
      },
    );
    return { kind: "installed" };
  } catch (fault) {
    return { kind: "missing", why: String(fault).split("\n", 1)[0] ?? "it cannot be installed" };
  }
};

const freePort = async (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === "string") reject(new Error("no port"));
        else resolve(address.port);
      });
    });
  });

export interface Llama {
  /** Without a path. */
  readonly url: string;
  readonly stop: () => void;
}

/** Starts it on a free port of the loopback; resolves when it is healthy. */
export const startLlama = async (): Promise<Llama> => {
  const port = await freePort();
  // A group of its own, since the script starts the server through a loader.
  const child = spawn("bash", [`${scripts}serve.sh`, home, String(port)], { detached: true, stdio: "ignore" });
  const stop = (): void => stopGroup(child);
  process.once("exit", stop);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isHealthy(url)) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  stop();
  throw new Error("llama-server did not become healthy in 30 s");
};

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
};

const stopGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
};
