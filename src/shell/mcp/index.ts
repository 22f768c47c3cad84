/** The tools of a session: its MCP servers and the agent's built-ins behind one port. */
export { openTools } from "./servers.js";
export type { BuiltInTool, OpenTools, OpenToolsFailure, OpenToolsOptions, ServerSpec } from "./port.js";
