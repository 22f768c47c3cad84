/** Every item of the checklist (`spec/acp.md` section 4) is tested by name, or stands here with the reason why it is not. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Reason → items. */
const ELSEWHERE: Readonly<Record<string, readonly number[]>> = {
  "every frame of every test is judged by it (test/support/schema.ts)": [35],
  "no login is offered, so there is no method to be logged in by and no logout": [39, 40],
  "no modes are offered, so none is advertised and set_mode is unknown": [53, 58],
  "sessions cannot be loaded, resumed, listed, forked or deleted; nothing is advertised and all answer -32601": [
    62,
    ...range(101, 104),
    106,
    109,
    110,
  ],
  "tools are the MCP servers', which say nothing of diffs, and no plan is kept": [74, 75],
  "cancelled processes are the MCP servers' (test/integration/mcp*)": [91],
  "the reducer closes what is open on a cancel, and every request is checked (test/properties)": [92],
  "services of the client are never asked for": range(112, 115),
  "version 2 is another issue's": range(123, 128),
  "clients that others wrote: test/integration/acpClients.test.ts": range(129, 132),
  "an interactive login is another issue's": [135],
};

test("every item of the checklist is in a test's name, or excused once with a reason", () => {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => readFileSync(path.join(folder, file), "utf8").match(/(?:"|\/\/ )\d+(?:, \d+)*:/gu) ?? []);
  const tested = names.flatMap((name) => (name.match(/\d+/gu) ?? []).map(Number));
  const excused = Object.values(ELSEWHERE).flat();
  const all = range(1, 135);
  expect(all.filter((item) => !tested.includes(item) && !excused.includes(item))).toEqual([]);
  expect(excused.filter((item) => tested.includes(item) || !all.includes(item))).toEqual([]);
});
