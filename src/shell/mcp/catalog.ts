/**
 * What the model is offered: the tools of all servers in server order, under qualified names and within the caps of a session.
 * Computed anew whenever a server's listing changes; a function of the listings alone.
 */
import type { Hook, HookPoint, Tool } from "../../core/model.js";
import type { ShellLimits } from "../../core/policy.js";
import { utf8Bytes } from "../../core/text.js";
import { type HookServers, allowsHooks } from "../config/hookServers.js";
import type { ListedTool } from "./listing.js";
import { isHookName, qualifiedName } from "./names.js";

/** One server's contribution, in server order. */
export interface Listed {
  readonly server: string;
  readonly tools: readonly ListedTool[];
}

/** Where a qualified name leads. */
export interface Route {
  readonly server: string;
  readonly bare: string;
}

export interface Catalog {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hook[];
  readonly routes: ReadonlyMap<string, Route>;
  /** Qualified names of tools that did not fit, in order. */
  readonly leftOut: readonly string[];
}

const HOOK_POINTS: readonly HookPoint[] = ["_Stop", "_PostCompact"];

/** `builtIns` come last, outside of the caps. */
export const catalogOf = (
  listed: readonly Listed[],
  builtIns: readonly Tool[],
  allowed: HookServers,
  limits: ShellLimits,
): Catalog => {
  const tools: Tool[] = [];
  const routes = new Map<string, Route>();
  const leftOut: string[] = [];
  let bytes = 0;
  for (const { server, tool } of visible(listed)) {
    const name = qualifiedName(server, tool.bare);
    const size = utf8Bytes(name) + utf8Bytes(tool.description) + utf8Bytes(tool.schema);
    // A name that is there already would be a collision of two 128-bit digests.
    if (tools.length >= limits.maxTools || bytes + size > limits.catalogBytesMax || routes.has(name)) {
      leftOut.push(name);
      continue;
    }
    bytes += size;
    routes.set(name, { server, bare: tool.bare });
    tools.push({ name, description: tool.description, schema: tool.schema, readOnly: tool.readOnly, builtIn: false });
  }
  return { tools: [...tools, ...builtIns], hooks: hooksOf(listed, allowed), routes, leftOut };
};

const visible = (listed: readonly Listed[]): readonly { readonly server: string; readonly tool: ListedTool }[] =>
  listed.flatMap(({ server, tools }) =>
    tools.filter(({ bare }) => !isHookName(bare)).map((tool) => ({ server, tool })),
  );

const hooksOf = (listed: readonly Listed[], allowed: HookServers): readonly Hook[] =>
  listed
    .filter(({ server }) => allowsHooks(allowed, server))
    .flatMap(({ server, tools }) =>
      HOOK_POINTS.filter((point) => tools.some(({ bare }) => bare === point)).map((point) => ({ server, point })),
    );
