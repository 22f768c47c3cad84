import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { endGroup, groupAlive } from "../../../src/shell/mcp/group.js";
import { until } from "../../support/until.js";

describe.runIf(process.platform === "linux")("A process group", () => {
  // In a container without an init orphans stay zombies for ever, and a zombie can be signalled: every end of a server took all of
  // its grace and was told as a failure.
  test("of which only zombies are left is gone.", async () => {
    // The shell starts a process in a group of its own and then becomes a program that never collects it.
    const parent = spawn("sh", ["-c", "setsid sleep 0.2 & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = await once(parent.stdout, "data");
    const group = Number(String(line));
    await until("the group", () => groupAlive(group));
    await until("nothing of it running", () => !groupAlive(group));
    expect(() => process.kill(-group, 0)).not.toThrow();
    const at = performance.now();
    expect(await endGroup(group, 5000)).toBe(true);
    expect(performance.now() - at).toBeLessThan(2000);
    parent.kill("SIGKILL");
  });
});
