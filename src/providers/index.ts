/** Turnfold's providers: dialects as values, and what is known of models and hosts. Pure; credentials are added by the shell. */
export { pricingAuthority } from "./authority.js";
export { type Capabilities, capabilitiesOf, documentedLimits } from "./capabilities.js";
export { databricksRoute, type DatabricksRoute } from "./databricks.js";
export type { Decoded, Dialect, HttpRequest, HttpResponse, Retry } from "./dialect.js";
export { isEffort, sentEffort } from "./effort.js";
export { effortChoice, type EffortChoice } from "./effortChoice.js";
export { dialectFor } from "./registry.js";
export * from "./settings.js";
export { demandsResponses, isOpenAiHost } from "./upgrade.js";
