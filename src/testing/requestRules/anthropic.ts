/** The published rules of Anthropic Messages, as far as a request of ours could break them. */
import { isJsonArray, type Json, member } from "../../core/json.js";
import {
  type Fault,
  isBlankText,
  isObject,
  isToolName,
  isWholeNumber,
  judge,
  judgeNames,
  list,
  type Report,
  text,
} from "./reader.js";

interface Message {
  readonly role: string;
  readonly blocks: readonly Json[];
}

export const anthropicFaults = (body: string): readonly Fault[] => judge(body, judgeBody);

const judgeBody = (body: Json, report: Report): void => {
  if (text(body, "model") === "") report("model: missing");
  if (!isWholeNumber(member(body, "max_tokens"), 1)) report("max_tokens: no positive integer");
  judgeTools(list(member(body, "tools")), report);
  const system = member(body, "system");
  list(system).forEach((block, index) => judgeText(block, `system.${index}`, report));
  if (!isJsonArray(system) && typeof system !== "string") report("system: neither text nor blocks");
  const messages = joined(list(member(body, "messages")), report);
  if (messages[0]?.role !== "user") report("messages: the first must be the user's");
  messages.forEach((message, index) => judgeMessage(message, index, report));
  judgePairs(messages, report);
  judgeThinking(body, messages, report);
  if (body !== null && (JSON.stringify(body, bigintsAsText).match(/"cache_control":\{/g) ?? []).length > 4) {
    report("cache_control: more than four breakpoints");
  }
};

const bigintsAsText = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);

const judgeTools = (tools: readonly Json[], report: Report): void => {
  judgeNames(
    tools.map((tool) => text(tool, "name")),
    report,
  );
  tools.forEach((tool, index) => {
    if (text(member(tool, "input_schema"), "type") !== "object") report(`tools.${index}: schema of no object`);
  });
};

/** The API joins messages of one role that follow each other. */
const joined = (messages: readonly Json[], report: Report): readonly Message[] => {
  const out: Message[] = [];
  messages.forEach((message, index) => {
    const role = text(message, "role");
    const blocks = list(member(message, "content"));
    if (role !== "user" && role !== "assistant") report(`messages.${index}: role ${role}`);
    if (blocks.length === 0) report(`messages.${index}: no content`);
    const last = out.at(-1);
    if (last?.role === role) out[out.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    else out.push({ role, blocks });
  });
  return out;
};

const judgeText = (block: Json, where: string, report: Report): void => {
  if (text(block, "type") === "text" && isBlankText(member(block, "text"))) report(`${where}: blank text`);
};

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const judgeMessage = ({ role, blocks }: Message, index: number, report: Report): void => {
  blocks.forEach((block, at) => {
    const where = `messages.${index}.content.${at}`;
    const type = text(block, "type");
    const allowed =
      role === "user" ? ["text", "tool_result", "image"] : ["text", "tool_use", "thinking", "redacted_thinking"];
    if (!allowed.includes(type)) report(`${where}: ${type} of the ${role}`);
    judgeText(block, where, report);
    if (type === "tool_use") judgeCall(block, where, report);
    if (type === "tool_result") judgeResult(block, where, report);
    if (type === "thinking" && text(block, "signature") === "") report(`${where}: thinking without signature`);
    if (type.endsWith("thinking") && at === blocks.length - 1) report(`${where}: thinking at the end`);
    if (type.endsWith("thinking") && member(block, "cache_control") !== undefined) report(`${where}: marked thinking`);
  });
};

const judgeCall = (block: Json, where: string, report: Report): void => {
  if (!isToolName(text(block, "id"))) report(`${where}: illegal id`);
  if (!isToolName(text(block, "name"))) report(`${where}: illegal name`);
  if (!isObject(member(block, "input"))) report(`${where}: input is no object`);
};

const judgeResult = (block: Json, where: string, report: Report): void => {
  const parts = list(member(block, "content"));
  if (parts.length === 0) report(`${where}: no content`);
  parts.forEach((part, index) => {
    judgeText(part, `${where}.content.${index}`, report);
    if (text(part, "type") === "image" && !IMAGES.has(text(member(part, "source"), "media_type"))) {
      report(`${where}.content.${index}: image type`);
    }
  });
};

const ids = (blocks: readonly Json[], type: string, name: string): readonly string[] =>
  blocks.filter((block) => text(block, "type") === type).map((block) => text(block, name));

/** Every call is answered once, in the very next message, and answers stand first there. */
const judgePairs = (messages: readonly Message[], report: Report): void => {
  const seen = new Set<string>();
  messages.forEach(({ blocks }, index) => {
    const calls = ids(blocks, "tool_use", "id");
    for (const id of calls) {
      if (seen.has(id)) report(`messages.${index}: id ${id} stands twice`);
      seen.add(id);
    }
    const next = messages[index + 1]?.blocks ?? [];
    const answers = ids(next, "tool_result", "tool_use_id");
    if (answers.join("|") !== calls.join("|"))
      report(`messages.${index}: calls ${calls.join()}, results ${answers.join()}`);
    const firstOther = next.findIndex((block) => text(block, "type") !== "tool_result");
    if (calls.length > 0 && firstOther >= 0 && firstOther < calls.length)
      report(`messages.${index + 1}: results not first`);
  });
  if (ids(messages[0]?.blocks ?? [], "tool_result", "tool_use_id").length > 0)
    report("messages.0: result without call");
};

/** Manual thinking: a budget inside the limit, and the turn that is going on with results must have begun with thinking. */
const judgeThinking = (body: Json, messages: readonly Message[], report: Report): void => {
  const thinking = member(body, "thinking");
  if (text(thinking, "type") !== "enabled") return;
  const budget = member(thinking, "budget_tokens");
  const limit = member(body, "max_tokens");
  if (!isWholeNumber(budget, 1024)) report("thinking: budget under 1024");
  if (typeof budget !== "number" || typeof limit !== "number" || budget >= limit)
    report("thinking: budget over the limit");
  let at = messages.length - 1;
  while (at >= 2 && ids(messages[at]?.blocks ?? [], "tool_result", "tool_use_id").length > 0) at -= 2;
  const first = messages[at + 1];
  if (first !== undefined && !text(first.blocks[0] ?? null, "type").endsWith("thinking")) {
    report(`messages.${at + 1}: the turn begins without thinking`);
  }
};
