/** Turnfold's core: the turn loop as a pure function. See `step.ts` for the theory of operation. */
export type * from "./effect.js";
export type * from "./event.js";
export type * from "./history.js";
export * from "./historyStore.js";
export type * from "./model.js";
export * from "./policy.js";
export { modelRequest } from "./request.js";
export * from "./session.js";
export { step } from "./step.js";
export type * from "./update.js";
export * from "./usage.js";
