// `npm start`: builds the program and runs one real prompt end to end, shown as a transcript. The agent is the built program
// in a process of its own, the client is the official SDK's, the tools are a real MCP server's. The model is the configured
// one and the prompt the user's; without a provider in the environment it is the rehearsal model, which says what it is.

import { spawn } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as acp from "@agentclientprotocol/sdk";
import { build } from "./build.mjs";
import { startRehearsal } from "./start/rehearsal.mjs";
import { block, bold, createTranscript, cyan, dim, print, yellow } from "./start/transcript.mjs";

const PROMPT = "What is in this folder? Read the notes and leave a short summary in summary.md.";
const FILES = {
  "garden.md":
    "# Garden\n\nThe beans went in on the third of May, two rows, a hand apart.\nNo frost since. The slugs are back; copper tape helps.\n",
  "tides.csv": "day,high,low\nmon,5.1,0.9\ntue,5.3,0.7\nwed,5.4,0.8\n",
  "todo.txt": "mend the gate\nask about the boat\nwrite to Ines\n",
  "photo.raw": "\u0000\u0001 not text",
};
const program = fileURLToPath(new URL("../dist/turnfold.js", import.meta.url));
const { resolve } = createRequire(import.meta.url);

const provider = process.env["BUZZ_AGENT_PROVIDER"]?.trim() ?? "";
const asked = process.argv.slice(2).join(" ").trim();

/** @param {string} folder */
const chooseModel = async (folder) => {
  if (provider !== "")
    return {
      env: process.env,
      text: `${provider}, ${process.env["BUZZ_AGENT_MODEL"] ?? "its configured model"}`,
      close: () => {},
    };
  const { port, close } = await startRehearsal(folder);
  const env = {
    ...process.env,
    BUZZ_AGENT_PROVIDER: "openai",
    BUZZ_AGENT_MODEL: "rehearsal",
    OPENAI_COMPAT_API: "chat",
    OPENAI_COMPAT_API_KEY: "rehearsal-key",
    OPENAI_COMPAT_BASE_URL: `http://127.0.0.1:${port}/v1`,
  };
  return { env, text: `the rehearsal model, a script on 127.0.0.1:${port}`, close };
};

/** @param {string} folder @param {string} text */
const head = (folder, text) => {
  print();
  print(`  ${bold("Turnfold")}: one prompt, end to end`);
  print();
  print(`  ${dim("agent ")}  ${path.relative(process.cwd(), program)}, a process of its own`);
  print(`  ${dim("client")}  @agentclientprotocol/sdk, over the agent's stdin and stdout`);
  print(`  ${dim("tools ")}  @modelcontextprotocol/server-filesystem, allowed in ${folder}`);
  print(`  ${dim("model ")}  ${text}`);
  print();
  if (provider !== "") return;
  block(
    yellow("!"),
    "No provider is configured, so this is a rehearsal: the model's part is played by a short script that reads the real tool results. Agent, protocol, requests and tools are real.",
  );
  if (asked !== "")
    block(yellow("!"), "The script plays its own task whatever is asked; your prompt is sent all the same.");
};

/**
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {string} prompt
 */
const runTurn = async (folder, env, prompt) => {
  const agent = spawn(process.execPath, [program, "acp"], {
    env: { TURNFOLD_LOG: "warn", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise((done) => agent.once("exit", (code) => done(code ?? 1)));
  const transcript = createTranscript(folder);
  /** @type {acp.UsageUpdate | undefined} */
  let window;
  const stream = acp.ndJsonStream(
    Writable.toWeb(agent.stdin),
    /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(agent.stdout)),
  );
  try {
    /** @type {acp.PromptResponse} */
    const { stopReason } = await acp
      .client({ name: "npm-start" })
      .onRequest(acp.methods.client.session.requestPermission, ({ params }) => ({
        outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" },
      }))
      .onNotification(acp.methods.client.session.update, ({ params }) => {
        if (params.update.sessionUpdate === "usage_update") window = params.update;
        else transcript.show(params.update);
      })
      .connectWith(stream, async (context) => {
        await context.request(acp.methods.agent.initialize, {
          protocolVersion: 1,
          clientCapabilities: { session: { notices: {} } },
          clientInfo: { name: "npm-start", version: "1.0.0" },
        });
        const files = {
          name: "files",
          command: process.execPath,
          args: [resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), folder],
          env: [],
        };
        /** @type {acp.NewSessionResponse} */
        const { sessionId } = await context.request(acp.methods.agent.session.new, {
          cwd: folder,
          mcpServers: [files],
        });
        return context.request(acp.methods.agent.session.prompt, {
          sessionId,
          prompt: [{ type: "text", text: prompt }],
        });
      });
    return { stopReason, toolCalls: transcript.toolCalls(), window };
  } finally {
    agent.stdin.end();
    await exited;
  }
};

const next = () => {
  print(`  ${bold("Next:")} the same with a model that thinks. Name a provider and ask what you like:`);
  print();
  print(cyan("    export BUZZ_AGENT_PROVIDER=anthropic ANTHROPIC_API_KEY=… BUZZ_AGENT_MODEL=…"));
  print(cyan('    npm start -- "what is in this folder?"'));
  print();
  print(
    dim(
      '  OpenAI, OpenRouter, Ollama and others: see Providers in README.md. In a folder of yours: node dist/turnfold.js ask --cwd DIR "…"',
    ),
  );
  print();
};

const main = async () => {
  // A test has built already, and other tests are using what it built.
  if (process.env["TURNFOLD_START_BUILT"] !== "1") await build();
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "turnfold-")));
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(folder, name), text);
  const model = await chooseModel(folder);
  const prompt = asked === "" ? PROMPT : asked;
  try {
    head(folder, model.text);
    block(bold("›"), bold(prompt));
    const started = performance.now();
    const { stopReason, toolCalls, window } = await runTurn(folder, model.env, prompt);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const context =
      window === undefined
        ? ""
        : `, ${window.used.toLocaleString("en-US")} of ${window.size.toLocaleString("en-US")} tokens of context used`;
    print(dim(`  ended with ${stopReason} after ${toolCalls} tool calls and ${seconds} s${context}`));
    print();
    if (provider === "") next();
    return stopReason === "end_turn" ? 0 : 1;
  } finally {
    model.close();
    await rm(folder, { recursive: true, force: true });
  }
};

process.exitCode = await main().catch((/** @type {unknown} */ fault) => {
  print(`  ${yellow("!")} ${fault instanceof Error ? fault.message : JSON.stringify(fault)}`);
  return 1;
});
