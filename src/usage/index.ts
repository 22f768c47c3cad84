/**
 * What a client of any ACP agent needs to know what its sessions cost. Fail-closed: unknown never becomes a number.
 *
 * `recorder.ts` reads frames off the wire and yields a record for each turn; whoever has notifications already feeds `tracker.ts`.
 * `metric.ts` is a record's JSON, `resolved.ts` the ladder over stored ones, `series.ts` and `scope.ts` the sums, `price.ts` the
 * estimate, `costMeter.ts` the bill of an agent that reports its own usage.
 */
export * from "./billed.js";
export * from "./costMeter.js";
export * from "./counts.js";
export * from "./delta.js";
export * from "./identity.js";
export * from "./ladder.js";
export * from "./metric.js";
export * from "./notification.js";
export * from "./order.js";
export * from "./price.js";
export * from "./priceFile.js";
export * from "./recorder.js";
export * from "./resolved.js";
export * from "./row.js";
export * from "./scope.js";
export * from "./series.js";
export * from "./standard.js";
export * from "./timestamp.js";
export * from "./tracker.js";
