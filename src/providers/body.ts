/** A request's body in pieces. Members that change from request to request stand in front, the growing list stands last. */
import type { Tool } from "../core/model.js";
import { array, object } from "./jsonText.js";
import { isSame } from "./sameElements.js";

/** `{ …members, "<list>": [ …elements ] }`, each element a piece of its own. */
export const bodyOf = (
  members: Readonly<Record<string, string>>,
  list: string,
  elements: readonly string[],
): readonly string[] => {
  const head = object(members).slice(0, -1);
  const pieces = [`${head}${head === "{" ? "" : ","}"${list}":[`];
  elements.forEach((element, index) => {
    if (index > 0) pieces.push(",");
    pieces.push(element);
  });
  pieces.push("]}");
  return pieces;
};

/** Definitions of tools as a JSON array, or "" when there are none; remembered for as long as the first tool lives. */
export const toolsEncoder = (encode: (tool: Tool) => string): ((tools: readonly Tool[]) => string) => {
  const byFirstTool = new WeakMap<Tool, { readonly tools: readonly Tool[]; readonly text: string }>();
  return (tools) => {
    const [first] = tools;
    if (first === undefined) return "";
    const known = byFirstTool.get(first);
    if (known !== undefined && isSame(known.tools, tools)) return known.text;
    const text = array(tools.map(encode));
    byFirstTool.set(first, { tools, text });
    return text;
  };
};
