/** Who we are to the provider. Added to a request at the last moment, so that dialects, records and logs never see it. */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { ModelFailure } from "../../core/model.js";
import type { CredentialSettings } from "../config/provider.js";

export type CredentialHeaders = Readonly<Record<string, string>>;

export interface Credential {
  /** Headers to send. Left: there are none, and why. */
  readonly headers: (signal: AbortSignal) => Promise<E.Either<ModelFailure, CredentialHeaders>>;
  /** The provider refused `rejected` (401 or 403): other headers to try, or none where there cannot be others. */
  readonly renew: (
    rejected: CredentialHeaders,
    signal: AbortSignal,
  ) => Promise<E.Either<ModelFailure, O.Option<CredentialHeaders>>>;
}

const headersOf = (settings: Exclude<CredentialSettings, { kind: "login" }>): CredentialHeaders => {
  if (settings.kind === "none") return {};
  return settings.header === "bearer" ? { authorization: `Bearer ${settings.key}` } : { "x-api-key": settings.key };
};

/** A key stays what it is: a refused one is not sent a second time (spec/providers.md 10.1). */
export const staticCredential = (settings: Exclude<CredentialSettings, { kind: "login" }>): Credential => {
  const headers = headersOf(settings);
  return {
    headers: () => Promise.resolve(E.right(headers)),
    renew: () => Promise.resolve(E.right(O.none)),
  };
};
