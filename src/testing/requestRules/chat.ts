/** The published rules of Chat Completions, as far as a request of ours could break them. */
import { isJsonArray, type Json, member } from "../../core/json.js";
import {
  type Fault,
  isArgumentsString,
  isBlankText,
  isToolName,
  judge,
  judgeNames,
  list,
  type Report,
  text,
} from "./reader.js";

/** `modelInUrl`: the body must not name the model (Databricks serving endpoints). */
export const chatFaults = (body: string, modelInUrl = false): readonly Fault[] =>
  judge(body, (value, report) => {
    if ((text(value, "model") === "") !== modelInUrl) report("model: missing, or not wanted");
    const tools = list(member(value, "tools"));
    judgeNames(
      tools.map((tool) => text(member(tool, "function"), "name")),
      report,
    );
    tools.forEach((tool, index) => {
      if (text(tool, "type") !== "function") report(`tools.${index}: type`);
    });
    if (member(value, "tool_choice") !== undefined && tools.length === 0) report("tool_choice: without tools");
    judgeMessages(list(member(value, "messages")), report);
  });

const judgeMessages = (messages: readonly Json[], report: Report): void => {
  if (text(messages[0] ?? null, "role") !== "system") report("messages.0: no system text");
  if (messages.length < 2) report("messages: nothing but the system text");
  const seen = new Set<string>();
  let open: string[] = [];
  messages.forEach((message, index) => {
    const role = text(message, "role");
    const where = `messages.${index}`;
    if (role === "tool") {
      // Results follow their calls at once and in their order.
      if (open.shift() !== text(message, "tool_call_id")) report(`${where}: result without its call`);
      if (isBlankText(member(message, "content"))) report(`${where}: blank result`);
      return;
    }
    if (open.length > 0) report(`${where}: calls ${open.join()} are not answered`);
    open = [];
    if (role === "system" && index > 0) report(`${where}: system text in the middle`);
    if (role === "user") judgeUser(message, where, report);
    if (role === "assistant") open = judgeAssistant(message, where, seen, report);
    if (!["system", "user", "assistant"].includes(role)) report(`${where}: role ${role}`);
  });
  if (open.length > 0) report(`messages: calls ${open.join()} are not answered`);
};

const judgeUser = (message: Json, where: string, report: Report): void => {
  const content = member(message, "content");
  const parts = list(content);
  if (!isJsonArray(content) && isBlankText(content)) report(`${where}: blank text`);
  if (isJsonArray(content) && parts.length === 0) report(`${where}: no parts`);
  for (const part of parts) {
    const image = text(member(part, "image_url"), "url");
    const fine =
      text(part, "type") === "image_url" ? image.startsWith("data:image/") : !isBlankText(member(part, "text"));
    if (!fine) report(`${where}: part`);
  }
};

const judgeAssistant = (message: Json, where: string, seen: Set<string>, report: Report): string[] => {
  const calls = list(member(message, "tool_calls"));
  if (calls.length === 0 && isBlankText(member(message, "content"))) report(`${where}: empty`);
  if (member(message, "tool_calls") !== undefined && calls.length === 0) report(`${where}: no calls`);
  return calls.map((call) => {
    const id = text(call, "id");
    const called = member(call, "function");
    if (!/^[A-Za-z0-9_-]{1,40}$/.test(id) || seen.has(id)) report(`${where}: id ${id}`);
    seen.add(id);
    if (text(call, "type") !== "function") report(`${where}: type`);
    if (!isToolName(text(called, "name"))) report(`${where}: illegal name`);
    if (!isArgumentsString(member(called, "arguments"))) report(`${where}: arguments`);
    return id;
  });
};
