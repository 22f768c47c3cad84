/** For tests of whoever embeds the core: arbitraries, a driver that plays them, and the invariants as predicates. */
export { answers, move, moves, type Answers, type CatalogChange, type Move } from "./arbitraries/moves.js";
export { attempts, failure, reply, saying, settings } from "./arbitraries/model.js";
export { filledText, text } from "./arbitraries/text.js";
export {
  argumentsText,
  calledName,
  catalog,
  hookUniverse,
  toolOutcome,
  universe,
  wholeCatalog,
} from "./arbitraries/tools.js";
export { tokens, unusedTokens, usage } from "./arbitraries/usage.js";
export { policy, session } from "./arbitraries/world.js";
export { answerTo, begin, eventFor, playEvent, playMoves, type Play } from "./driver.js";
export { deepFreeze, equal } from "./equal.js";
export { eventLog } from "./eventLog.js";
export * from "./invariants.js";
export * from "./naiveUsage.js";
export { afterTransition, awaitedBy, isAnswer, isOrder, noOrders, settles, watch, watching } from "./orders.js";
export type { Answer, Order, Orders, Watched } from "./orders.js";
export * from "./requestRules/index.js";
export { runEvents, transition, type Run, type Step, type Transition } from "./run.js";
export { explore, type Choice, type Explored } from "./explore.js";
export { neededOf } from "./needed.js";
export { settle, type Settled, type World } from "./settle.js";
