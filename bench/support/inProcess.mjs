// A session of the main agent in this process: the real runtime, reducer and model client, with a tool that answers at once and a
// client that takes everything.

import { unusedProvider, providerAt } from "./agent.mjs";
import { sources } from "./sources.mjs";

/** @typedef {typeof import("../../src/shell/agent/agent.js")} AgentModule */
/** @typedef {import("../../src/shell/acp/agent.js").AgentSession} AgentSession */
/** @typedef {import("../../src/shell/ports.js").ToolsPort} ToolsPort */

const load = () =>
  /** @type {Promise<{ agent: AgentModule, models: typeof import("../../src/shell/model/models.js"), config: typeof import("../../src/shell/config/config.js"), secrets: typeof import("../../src/shell/secrets.js") }>} */ (
    sources({
      agent: "src/shell/agent/agent.ts",
      models: "src/shell/model/models.ts",
      config: "src/shell/config/config.ts",
      secrets: "src/shell/secrets.ts",
    })
  );

/** @typedef {Awaited<ReturnType<typeof load>>} Sources */
/** @type {Promise<Sources> | undefined} */
let loaded;

/** A window that nothing fills, so that no round of a benchmark is a handoff. */
const ROOMY = { BUZZ_AGENT_MAX_CONTEXT_TOKENS: "1000000000" };

/**
 * The model client of a configuration, and what it was made of.
 * @param {Readonly<Record<string, string>>} environment beside `providerAt`'s
 */
export async function openModels(environment) {
  loaded ??= load();
  const modules = await loaded;
  const config = modules.config.readConfig({ ...unusedProvider, ...ROOMY, ...environment }, () => ({
    _tag: "Left",
    left: "no files here",
  }));
  if (config._tag === "Left") throw new Error(JSON.stringify(config.left));
  const secrets = modules.secrets.createSecrets(["bench-key"]);
  const models = modules.models.openModels(config.right, secrets, () => undefined);
  return { config: config.right, secrets, models, modules };
}

/** The tool of the sessions here: `{"bytes": n}` is answered with that much text. */
export const READ_TOOL = "files__read";

/** Lines as a source file has them, with the quotes and line feeds that an encoder must escape. */
const LINE = '  const entry = table.get("name of it"); // looked up once, for every caller that asks\n';

/** @param {number} bytes */
export const sourceText = (bytes) => LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes);

/** @type {ToolsPort} */
const tools = {
  offered: () => ({
    tools: [
      {
        name: READ_TOOL,
        description: "Reads.",
        schema: '{"type":"object","properties":{"bytes":{"type":"number"}}}',
        readOnly: true,
        builtIn: false,
      },
    ],
    hooks: [],
    complete: true,
  }),
  onChange: () => undefined,
  onNotice: () => undefined,
  run: (_name, argumentsText) => {
    const { bytes } = JSON.parse(argumentsText);
    return Promise.resolve({ kind: "result", parts: [{ kind: "text", text: sourceText(bytes) }], isError: false });
  },
  callHooks: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

/** @param {number} port of the model server on loopback */
export async function openSession(port) {
  const { config, secrets, models, modules } = await openModels(providerAt(`http://127.0.0.1:${port}/v1`));
  const agent = modules.agent.createAgent({
    models,
    policy: config.policy,
    limits: config.limits,
    systemPrompt: "You are a benchmark.",
    readHints: () => Promise.resolve({ text: "", builtIns: [] }),
    openTools: () => Promise.resolve({ _tag: "Right", right: tools }),
    redact: secrets.redactEvent,
    record: () => ({ record: () => undefined, close: () => Promise.resolve() }),
    log: () => undefined,
  });
  const opened = await agent.open(
    { sessionId: "bench", cwd: "/", mcpServers: [], systemPrompt: "", signal: new AbortController().signal },
    {
      publish: () => undefined,
      askPermission: () => Promise.resolve("failed"),
      whenDrained: () => Promise.resolve(),
    },
  );
  if (opened._tag === "Left") throw new Error(JSON.stringify(opened.left));
  const session = opened.right;
  let turns = 0;
  return {
    /** Runs a turn to its end. @param {string} text */
    prompt: async (text) => {
      turns += 1;
      /** @type {import("../../src/shell/acp/agent.js").PromptAnswer} */
      const answer = await new Promise((resolve) => session.prompt(`run-${turns}`, text, resolve, [text]));
      if (answer.kind !== "stopped" || answer.reason !== "end_turn") throw new Error(JSON.stringify(answer));
    },
    close: async () => {
      await session.end(0);
      await models.close();
    },
  };
}
