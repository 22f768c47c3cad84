/** Every fault two hundred times in one session: nothing piles up. Run by `npm run test:long`. */
import { describe, expect, test } from "vitest";
import { acceptable, FAULTS, limitsFor, LOST } from "../support/faults.js";
import { faultEntry, open, textOf } from "../support/faultTools.js";
import { openDescriptors, processesWith } from "../support/processes.js";
import { until } from "../support/until.js";

const REPETITIONS = 200;

describe.runIf(process.env["TURNFOLD_TEST_LONG"] === "1").each(FAULTS)("'$tool', again and again", (fault) => {
  test("leaks no descriptor, no process and no memory to speak of", async () => {
    const session = await open({ entries: [faultEntry("f")], limits: limitsFor(fault, 10 * REPETITIONS) });
    const once = async (): Promise<void> => {
      // The next call may find a server that is just dying of the last one.
      const allowed = fault.dies ? acceptable(fault, LOST) : fault.words;
      expect(textOf(await session.run(`f__${fault.tool}`, fault.args))).toMatch(allowed);
    };
    for (let n = 0; n < 10; n += 1) await once();
    const descriptors = openDescriptors();
    const bytes = process.memoryUsage().rss;
    for (let n = 0; n < REPETITIONS; n += 1) await once();
    const ofOneServer = fault.tool === "grandchild" ? REPETITIONS + 12 : 2;
    await until("dead servers gone", () => processesWith(session.mark).length <= ofOneServer);
    await until("descriptors closed", () => openDescriptors() <= descriptors + 3);
    const grown = process.memoryUsage().rss - bytes;
    const more = openDescriptors() - descriptors;
    process.stderr.write(
      `${REPETITIONS} x ${fault.tool}: ${more} more descriptors, ${processesWith(session.mark).length} processes, ${Math.round(grown / 2 ** 20)} MiB more\n`,
    );
    expect(grown).toBeLessThan(200 * 1024 * 1024);
    await session.close();
  }, 600_000);
});
