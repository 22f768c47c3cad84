/** The rules that providers publish for requests, as functions from a body to what is wrong with it. */
export { anthropicFaults } from "./anthropic.js";
export { chatFaults } from "./chat.js";
export type { Fault } from "./reader.js";
export { responsesFaults } from "./responses.js";
export { judgedDialects } from "./dialects.js";
