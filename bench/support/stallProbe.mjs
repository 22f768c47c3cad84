// Put before the agent with --import, with an IPC channel: watches how long the event loop stands still and how much output waits
// for its reader, and tells both, beginning anew, when it is asked.

import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

let unsent = 0;
const { stdout } = process;
const write = stdout.write.bind(stdout);
/** @type {any} */
const watchedWrite = (/** @type {[string]} */ ...args) => {
  const taken = write(...args);
  unsent = Math.max(unsent, stdout.writableLength);
  return taken;
};
stdout.write = watchedWrite;

process.channel?.unref();
process.on("message", () => {
  const stallMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
  process.send?.({ stallMs, unsent });
  delays.reset();
  unsent = 0;
});
