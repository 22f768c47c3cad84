// Put before the agent with --import, under --expose-gc and an IPC channel: told to, it collects all garbage and says what is left.

process.channel?.unref();
process.on("message", () => {
  // What was reachable only through weak references or finalizers goes in a second round.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, used: heapUsed + external });
});
