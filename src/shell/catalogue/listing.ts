/** One listing of a host, all its pages, with the patience that a listing deserves (spec/providers.md 16.4). */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import { defaultShellLimits } from "../../core/policy.js";
import type { Attempt } from "../model/attempt.js";
import type { CredentialHeaders } from "../model/credential.js";
import type { Clock } from "../model/clock.js";
import type { Send } from "../model/send.js";
import type { ListedModel, ReadPage } from "./page.js";

/** `refused`: the host does not take the credential (401). No text holds a part of a body that may echo it. */
export type ListingFailure = { readonly kind: "refused" | "failed"; readonly why: string };

export interface Listing {
  readonly url: string;
  readonly read: ReadPage;
}

export interface ListingParts {
  readonly send: Send;
  readonly clock: Clock;
  readonly headers: CredentialHeaders;
}

const { catalogueCallMs, catalogueAttempts, catalogueRetryMs, maxCataloguePages } = defaultShellLimits;

type Fetched = E.Either<ListingFailure & { readonly again: boolean }, unknown>;

const failed = (why: string, again: boolean): Fetched => E.left({ kind: "failed", why, again });

const judge = (attempt: Attempt): Fetched => {
  if (attempt.kind === "broken") return failed(attempt.what, attempt.again);
  if (attempt.kind === "timedOut") return failed("no answer in time", true);
  if (attempt.kind !== "response") return failed(attempt.kind, false);
  const { status, body } = attempt.response;
  if (status === 401) return E.left({ kind: "refused", why: "answered 401", again: false });
  if (status !== 200) return failed(`answered ${status}`, status >= 500 || status === 499);
  const json = O.tryCatch((): unknown => JSON.parse(Buffer.from(body).toString()));
  return O.isSome(json) ? E.right(json.value) : failed("answered no JSON", true);
};

const fetchJson = async (
  url: string,
  parts: ListingParts,
  attemptsLeft: number,
): Promise<E.Either<ListingFailure, unknown>> => {
  const { send, clock, headers } = parts;
  const { signal } = new AbortController();
  const order = { method: "GET", url, headers, body: O.none, deadlineMs: catalogueCallMs } as const;
  const fetched = judge(await send(order, signal));
  if (E.isRight(fetched) || !fetched.left.again || attemptsLeft <= 1) return fetched;
  await clock.sleep(catalogueRetryMs, signal);
  return fetchJson(url, parts, attemptsLeft - 1);
};

const pageUrl = (url: string, token: O.Option<string>): string => {
  if (O.isNone(token)) return url;
  const next = new URL(url);
  next.searchParams.set("page_token", token.value);
  return next.href;
};

/** A host that leads in circles, or on and on, is told so instead of being cut off in silence. */
export const fetchListing = async (
  { url, read }: Listing,
  parts: ListingParts,
): Promise<E.Either<ListingFailure, readonly ListedModel[]>> => {
  const seen = new Set<string>();
  const from = async (
    token: O.Option<string>,
    models: readonly ListedModel[],
  ): Promise<E.Either<ListingFailure, readonly ListedModel[]>> => {
    const json = await fetchJson(pageUrl(url, token), parts, catalogueAttempts);
    if (E.isLeft(json)) return json;
    const page = read(json.right);
    if (E.isLeft(page)) return E.left({ kind: "failed", why: page.left });
    const all = [...models, ...page.right.models];
    const { next } = page.right;
    if (O.isNone(next)) return E.right(all);
    if (seen.has(next.value)) return E.left({ kind: "failed", why: "repeats a page" });
    seen.add(next.value);
    if (seen.size >= maxCataloguePages)
      return E.left({ kind: "failed", why: `has more than ${maxCataloguePages} pages` });
    return from(next, all);
  };
  return from(O.none, []);
};
