/**
 * Brings the outbox to the ledger in a process of its own: SQLite works synchronously, waits for locks, and may be missing, none of
 * which a proxied session must feel.
 */
import { spawn, type ChildProcess } from "node:child_process";

export interface Courier {
  /** There is something to bring. At most one process at a time; what comes meanwhile goes with the next. */
  readonly call: () => void;
  /** Sends the last one off, to end by itself. */
  readonly end: () => void;
}

export interface CourierOptions {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly say: (line: string) => void;
}

export const createCourier = ({ command: [program, ...args], say }: CourierOptions): Courier => {
  let running: ChildProcess | undefined;
  let more = false;

  const start = (): void => {
    more = false;
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    running = child;
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(0, 2048);
    });
    const over = (): void => {
      running = undefined;
      for (const line of complaint.split("\n")) if (line !== "") say(line);
      complaint = "";
      if (more) start();
    };
    child.once("error", (fault) => {
      complaint = fault.message;
      over();
    });
    child.once("close", over);
    // The proxy lives as long as its agent, not as long as this.
    child.unref();
  };

  return {
    call: () => {
      more = true;
      if (running === undefined) start();
    },
    end: () => {
      if (more)
        spawn(program, args, { stdio: "ignore", detached: true })
          .on("error", () => undefined)
          .unref();
    },
  };
};
