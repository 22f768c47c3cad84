// The rehearsal model: what `npm start` talks to when no provider is configured. It is no language model. It speaks Chat
// Completions on loopback and plays one small task; what it says and asks for next is worked out from the results that the
// real tools have really returned.

import { createServer } from "node:http";

/** @typedef {{ id: string, type: "function", function: { name: string, arguments: string } }} Call */
/** @typedef {{ role: string, content: string | null, tool_calls?: Call[], tool_call_id?: string }} Message */
/** @typedef {{ messages: Message[], tools?: { function: { name: string } }[] }} Body */
/** @typedef {{ text: string, calls: { tool: string, arguments: Record<string, unknown> }[] }} Turn */

const NOTES = /\.(md|txt|csv)$/;
const SUMMARY = "summary.md";

/** @param {Body} body */
const allResults = ({ messages }) => {
  const calls = new Map(
    messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => [call.id, call.function])),
  );
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ tool_call_id: id = "", content }) => {
      const { name = "", arguments: text = "{}" } = calls.get(id) ?? {};
      return { tool: name.replace(/^.*__/, ""), arguments: JSON.parse(text), text: String(content) };
    });
};

/** @param {string} text */
const measured = (text) => ({
  lines: text.trimEnd().split("\n").length,
  words: text.split(/\s+/).filter(Boolean).length,
});

/**
 * Look around, read what there is, leave a summary, say so.
 * @param {Body} body
 * @param {string} folder
 * @returns {Turn}
 */
const nextTurn = (body, folder) => {
  const results = allResults(body);
  const of = (/** @type {string} */ tool) => results.filter((result) => result.tool === tool);
  const listing = of("list_directory")[0];
  if (listing === undefined) {
    return { text: "I will see what is here first.", calls: [{ tool: "list_directory", arguments: { path: folder } }] };
  }
  const names = [...listing.text.matchAll(/^\[FILE\] (.+)$/gm)]
    .map((match) => match[1] ?? "")
    .filter((name) => NOTES.test(name));
  if (names.length === 0)
    return { text: `There is nothing to read here. The listing said:\n${listing.text}`, calls: [] };
  const read = of("read_text_file");
  if (read.length === 0) {
    const calls = names.map((name) => ({ tool: "read_text_file", arguments: { path: `${folder}/${name}` } }));
    return { text: `${names.length} files look like text. I will read them side by side.`, calls };
  }
  const figures = read.map(({ arguments: { path }, text }) => ({
    name: path.slice(folder.length + 1),
    ...measured(text),
  }));
  const written = of("write_file")[0];
  if (written === undefined) {
    const content = [
      "# Summary",
      "",
      ...figures.map(({ name, lines, words }) => `- ${name}: ${lines} lines, ${words} words`),
      "",
    ].join("\n");
    return { text: "", calls: [{ tool: "write_file", arguments: { path: `${folder}/${SUMMARY}`, content } }] };
  }
  const longest = figures.toSorted((a, b) => b.words - a.words)[0];
  const first =
    read[0]?.text
      .trim()
      .split("\n")[0]
      ?.replace(/^#+\s*/, "") ?? "";
  const text = [
    `The folder holds ${names.length} notes, ${figures.reduce((sum, { words }) => sum + words, 0)} words together.`,
    `The longest is ${longest?.name} with ${longest?.words} words; the first one begins "${first}".`,
    `I have left the figures in ${SUMMARY} (the server said: ${written.text.replaceAll(folder, "…").trim()}).`,
  ].join("\n");
  return { text, calls: [] };
};

/**
 * @param {Body} body
 * @param {string} folder
 * @param {number} number
 */
const completion = (body, folder, number) => {
  const offered = (body.tools ?? []).map((tool) => tool.function.name);
  const { text, calls } = nextTurn(body, folder);
  const toolCalls = calls.map((call, index) => ({
    id: `rehearsal_${number}_${index}`,
    type: "function",
    // Servers prefix their tools; the model uses whatever name it was offered.
    function: {
      name: offered.find((name) => name.endsWith(`__${call.tool}`)) ?? call.tool,
      arguments: JSON.stringify(call.arguments),
    },
  }));
  const promptTokens = Math.ceil(JSON.stringify(body).length / 4);
  const completionTokens = Math.ceil(JSON.stringify({ text, calls }).length / 4);
  return {
    id: `rehearsal-${number}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: "rehearsal",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" ? null : text,
          ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
};

/**
 * @param {string} folder what the task is about
 * @returns {Promise<{ port: number, close: () => void }>}
 */
export const startRehearsal = async (folder) => {
  let number = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      number += 1;
      const body = JSON.stringify(completion(JSON.parse(text), folder, number));
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, close: () => server.closeAllConnections() ?? server.close() };
};
