// The parent's side of support/modelServer.mjs, and a folder whose skill is the tool that it calls: `load_skill` needs no server.

import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { providerAt } from "./agent.mjs";

const file = fileURLToPath(new URL("modelServer.mjs", import.meta.url));

/** @typedef {import("./modelServer.mjs").Plan} Plan */
/** @typedef {import("./modelServer.mjs").Counts} Counts */

/** @type {Plan} */
export const plainPlan = { toolRounds: 0, tool: "", argumentsText: "", callTextBytes: 0, answerTextBytes: 200 };
/** @type {Plan} */
export const skillPlan = { ...plainPlan, tool: "load_skill", argumentsText: JSON.stringify({ name: "bench" }) };

/** @param {Plan} plan */
export async function startModel(plan) {
  const child = fork(file, [JSON.stringify(plan)], { execArgv: [] });
  /** @returns {Promise<any>} */
  const told = () => new Promise((resolve) => child.once("message", resolve));
  const ask = (/** @type {import("./modelServer.mjs").Asked} */ asked) => {
    const answer = told();
    child.send(asked);
    return answer;
  };
  const port = /** @type {number} */ (await told());
  return {
    port,
    environment: providerAt(`http://127.0.0.1:${port}/v1`),
    /** @returns {Promise<Counts>} */
    counts: () => ask({ kind: "counts" }),
    keepBodies: () => void child.send({ kind: "keepBodies" }),
    /** Those since `keepBodies`, in the order of their arrival. @returns {Promise<readonly string[]>} */
    bodies: () => ask({ kind: "bodies" }),
    end: () => child.disconnect(),
  };
}

/** A folder to work in, with one small skill, which is also a home in which nothing else is found. */
export function makeWorkspace() {
  const folder = mkdtempSync(path.join(tmpdir(), "turnfold-bench-"));
  const skill = path.join(folder, ".agents/skills/bench");
  mkdirSync(skill, { recursive: true });
  writeFileSync(
    path.join(skill, "SKILL.md"),
    `---\nname: bench\ndescription: What to do.\n---\n\n${"Look, then answer.\n".repeat(10)}`,
  );
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
