/** The models of a host: its listings side by side, a refused credential renewed once, partial answers taken. */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { ModelFailure } from "../../core/model.js";
import { isDatabricks, type ProviderSettings } from "../../providers/settings.js";
import type { ModelChoice } from "../agent/choices.js";
import type { Log } from "../log.js";
import type { Clock } from "../model/clock.js";
import type { Credential, CredentialHeaders } from "../model/credential.js";
import type { Send } from "../model/send.js";
import { fetchListing, type Listing, type ListingFailure } from "./listing.js";
import { mergeListings, newestFirst } from "./merge.js";
import {
  readGatewayEndpoints,
  readHostModels,
  readModelServices,
  readServingEndpoints,
  type ListedModel,
} from "./page.js";

export interface CatalogueParts {
  readonly provider: ProviderSettings;
  readonly filter: readonly string[];
  readonly credential: Credential;
  readonly send: () => Promise<Send>;
  readonly clock: Clock;
  readonly log: Log;
}

/** At Databricks' gateway the first listing holds endpoints, the second one the services of Unity Catalog. */
const listingsOf = ({ name, baseUrl }: ProviderSettings): readonly Listing[] => {
  if (name === "databricks") return [{ url: `${baseUrl}/api/2.0/serving-endpoints`, read: readServingEndpoints }];
  if (name === "anthropic") return [{ url: `${baseUrl}/v1/models?limit=1000`, read: readHostModels }];
  if (name !== "databricks_v2") return [{ url: `${baseUrl}/models`, read: readHostModels }];
  return [
    { url: `${baseUrl}/api/ai-gateway/v2/endpoints?page_size=100`, read: readGatewayEndpoints },
    { url: `${baseUrl}/api/2.1/unity-catalog/model-services?page_size=100&view=FULL`, read: readModelServices },
  ];
};

const headersOf = ({ name, anthropicVersion }: ProviderSettings): CredentialHeaders =>
  name === "anthropic" ? { "anthropic-version": anthropicVersion } : {};

type Listed = E.Either<ListingFailure, readonly ListedModel[]>;

const refusedBy = (listed: readonly Listed[]): boolean =>
  listed.some((each) => E.isLeft(each) && each.left.kind === "refused");

export const fetchCatalogue = async (
  parts: CatalogueParts,
): Promise<E.Either<ModelFailure, readonly ModelChoice[]>> => {
  const { provider, credential, clock, log } = parts;
  const { signal } = new AbortController();
  const listings = listingsOf(provider);
  const send = await parts.send();
  const fetchAll = (headers: CredentialHeaders): Promise<readonly Listed[]> =>
    Promise.all(
      listings.map((listing) =>
        fetchListing(listing, { send, clock, headers: { ...headersOf(provider), ...headers } }),
      ),
    );

  const proof = await credential.headers(signal);
  if (E.isLeft(proof)) return proof;
  let listed = await fetchAll(proof.right);
  if (refusedBy(listed)) {
    const renewed = await credential.renew(proof.right, signal);
    if (E.isLeft(renewed)) return renewed;
    if (O.isSome(renewed.right)) listed = await fetchAll(renewed.right.value);
  }
  const failures = listed.flatMap((each, index) =>
    E.isLeft(each) ? [`${new URL(listings[index]?.url ?? provider.baseUrl).pathname} ${each.left.why}`] : [],
  );
  if (failures.length === listed.length) return E.left(failureOf(provider, refusedBy(listed), failures));
  for (const why of failures) log("warn", "a part of the model catalogue is missing", { why });
  const [endpoints = [], services = []] = listed.map((each) => (E.isRight(each) ? each.right : []));
  if (!isDatabricks(provider)) return E.right(endpoints.map(({ id }) => ({ id, name: id })));
  // The default catalogue stands for a host that lists nothing, not for one that could only be asked by half.
  if (failures.length > 0 && endpoints.length + services.length === 0) return E.right([]);
  const ordered = provider.name === "databricks" ? endpoints : endpoints.toSorted(newestFirst);
  return E.right(mergeListings(ordered, services, parts.filter));
};

const failureOf = (provider: ProviderSettings, refused: boolean, failures: readonly string[]): ModelFailure => ({
  kind: refused ? "authentication" : "transport",
  message: refused
    ? `${provider.title} rejected the configured credential (401)${isDatabricks(provider) ? "; check DATABRICKS_TOKEN, or run `turnfold auth databricks`" : ""}`
    : `${provider.title} did not list its models: ${failures.join("; ")}`,
  status: refused ? O.some(401) : O.none,
});
