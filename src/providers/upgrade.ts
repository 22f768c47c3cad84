/** When a host that was spoken to in Chat Completions demands Responses (`spec/providers.md` 10.2). */
import type { FailureKind, ModelFailure } from "../core/model.js";
import { type ProviderSettings } from "./settings.js";

/** A plain string test, on purpose: what no URL parser would call OpenAI's host must not be one here. */
export const isOpenAiHost = (baseUrl: string): boolean => {
  const host = /^https?:\/\/([^/:]*)/.exec(baseUrl)?.[1] ?? "";
  return host === "api.openai.com" || host.endsWith(".openai.com");
};

const SIGNALS = ["/v1/responses", "responses api instead", "use the responses api"];

/** Failures that already mean something else, whatever their text says. */
const TYPED: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "authentication",
  "modelNotFound",
  "contextExceeded",
  "imageUnsupported",
]);

/**
 * Whether `failure`, the answer to a Chat request, says that the host wants Responses: then the same request is sent once more
 * in the dialect that `dialectFor` gives for `responsesRequired`, and so is every later one of this process.
 */
export const demandsResponses = (provider: ProviderSettings, failure: ModelFailure): boolean => {
  const eligible = (provider.name === "openai" || provider.name === "deepseek") && provider.api === "auto";
  const text = failure.message.toLowerCase();
  return eligible && !TYPED.has(failure.kind) && SIGNALS.some((signal) => text.includes(signal));
};
