// How `npm start` shows a turn: what an ACP client is told, as a person reads it.

/** @typedef {import("@agentclientprotocol/sdk").SessionUpdate} Update */

const colours = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
const paint = (/** @type {number} */ code) => (/** @type {string} */ text) =>
  colours ? `\u001b[${code}m${text}\u001b[0m` : text;
export const bold = paint(1);
export const dim = paint(2);
const red = paint(31);
const green = paint(32);
export const yellow = paint(33);
export const cyan = paint(36);

const WIDTH = Math.min(process.stdout.columns ?? 100, 110);
const INDENT = "    ";

export const print = (/** @type {string} */ line = "") => process.stdout.write(`${line}\n`);

/** @param {string} text */
const wrapped = (text) =>
  text.split("\n").flatMap((line) => line.match(new RegExp(`.{1,${WIDTH - 8}}(?:\\s|$)|\\S+`, "g")) ?? [""]);

/** @param {string} text @param {number} width */
const cut = (text, width) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);

/** @param {string} mark @param {string} text */
export const block = (mark, text) => {
  wrapped(text.trim()).forEach((line, index) => print(`  ${index === 0 ? mark : " "} ${line.trimEnd()}`));
  print();
};

/** @param {string} folder is shown as … */
export const createTranscript = (folder) => {
  /** @type {Map<string, string>} */
  const calls = new Map();
  let toolCalls = 0;

  /** @param {Extract<Update, { sessionUpdate: "tool_call_update" }>} update */
  const finished = ({ toolCallId, status, content }) => {
    const text = (content ?? [])
      .map((part) => (part.type === "content" && part.content.type === "text" ? part.content.text : ""))
      .join("")
      .replaceAll(folder, "…")
      .trim();
    const lines = text.split("\n");
    const shown = lines.length > 3 ? [...lines.slice(0, 2), `… ${lines.length - 2} more lines`] : lines;
    print(`  ${status === "completed" ? green("✓") : red("✗")} ${calls.get(toolCallId) ?? toolCallId}`);
    for (const line of shown) print(dim(`${INDENT}${cut(line, WIDTH - 6)}`));
    print();
  };

  return {
    toolCalls: () => toolCalls,
    /** @param {Update} update */
    show: (update) => {
      const kind = update.sessionUpdate;
      if (kind === "agent_thought_chunk" && update.content.type === "text") block(dim("·"), dim(update.content.text));
      if (kind === "agent_message_chunk" && update.content.type === "text") block(cyan("●"), update.content.text);
      if (kind === "notice")
        block(yellow("!"), `${update.title}${update.description ? `: ${update.description}` : ""}`);
      if (kind === "tool_call") {
        toolCalls += 1;
        const input = JSON.stringify(update.rawInput ?? {}).replaceAll(folder, "…");
        calls.set(update.toolCallId, `${bold(update.title)} ${dim(cut(input, WIDTH - update.title.length - 6))}`);
      }
      if (kind === "tool_call_update" && (update.status === "completed" || update.status === "failed"))
        finished(update);
    },
  };
};
