/**
 * Why each dependency is there. The README's table is generated from this and package.json.
 * @type {Readonly<Record<string, string>>}
 */
export const reasons = {
  "@modelcontextprotocol/sdk":
    "The MCP client. Version 1: its client is 45 KB of the bundle (version 2: 292 KB), and the servers speak it. The transport is ours.",
  "@observablehq/plot":
    "Plots of `turnfold simulate`'s report, as SVG without a browser. Not bundled: loaded from where it was installed when a report is drawn.",
  "fp-ts": "`Either` for decoding and `Option` for absence: what makes a function of the core total.",
  immer: "Deep, rare edits of history (a refused image) that share whatever they leave alone.",
  "io-ts": "Codecs for everything that comes from outside, and for the session as JSON.",
  minisearch:
    "BM25 over notes folders and knowledge graphs of `turnfold memory`, in memory, without a dependency of its own.",
  undici: "HTTP with time limits, proxies and streamed bodies. 8 needs Node 22; this is the newest for Node 20.",
  yaml: "Front matter of skills: YAML as its own test suite has it, without a dependency or an install script.",
  zod: "The MCP SDK takes its result schemas as zod schemas; pinned so that both use one copy.",

  "@agentclientprotocol/sdk":
    "An ACP client that others wrote, and the JSON schema that every frame of ours must satisfy.",
  "@anthropic-ai/sdk": "Types only: request bodies are checked against the provider's own.",
  "@copilotkit/aimock": "A mock LLM server that others wrote, for both dialects, with faults.",
  "@modelcontextprotocol/server-everything":
    "A real MCP server for tests: every kind of content, progress, long calls.",
  "@modelcontextprotocol/server-filesystem": "The real MCP server of `npm start`, and a party in tests.",
  "@types/node": "Types of the oldest Node that is supported.",
  "acp-factory": "A second ACP client that others wrote, with a third generation of the SDK inside.",
  acp1: "The ACP SDK's previous generation under an alias: clients in the field still use it.",
  ajv: "Validates frames and request bodies against published JSON schemas.",
  "fast-check": "Property tests; an optional peer for those who use `turnfold/testing`.",
  openai:
    "Types only: request bodies are checked against the provider's own. 7 needs Node 22; the types of 6 install without a warning.",
  "openai-mock-api": "A second mock LLM server that others wrote.",
  oxlint: "The linter: type-aware in half a second.",
  "oxlint-tsgolint": "The linter's rules that need types, on the same native compiler.",
  prettier: "The formatter.",
  rolldown:
    "Bundles the program and parses our sources for the tidy tests; the version that vite has, so there is one.",
  typescript: "The compiler, native: a full check takes a quarter of a second.",
  vite: "Vitest stands on it; pinned because newer ones need a newer Node. Also loads sources for the generated documents.",
  vitest: "The test runner. 5 needs Node 22.",
};
