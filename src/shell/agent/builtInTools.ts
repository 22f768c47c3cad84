/** The tools of a session without servers: those that the agent runs by itself. */
import type { BuiltInTool } from "../mcp/port.js";
import type { ToolsPort } from "../ports.js";

export const builtInTools = (builtIns: readonly BuiltInTool[]): ToolsPort => {
  const offered = { tools: builtIns.map(({ tool }) => tool), hooks: [], complete: true };
  return {
    offered: () => offered,
    onChange: () => undefined,
    onNotice: () => undefined,
    run: async (name, argumentsText, signal) => {
      const builtIn = builtIns.find(({ tool }) => tool.name === name);
      return builtIn?.run(argumentsText, signal) ?? { kind: "failed", message: `no longer available: ${name}` };
    },
    callHooks: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
};
