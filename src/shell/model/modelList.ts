/** The models that a client may choose from: the configured one, the operator's list, and what the host itself lists. */
import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as O from "fp-ts/lib/Option.js";
import * as t from "io-ts";
import type { ProviderSettings } from "../../providers/settings.js";
import type { ModelChoice } from "../agent/choices.js";
import type { Log } from "../log.js";
import type { Attempt } from "./attempt.js";
import type { Credential } from "./credential.js";
import type { HttpOrder, Send } from "./send.js";

export interface ModelListParts {
  readonly provider: ProviderSettings;
  readonly configured: string;
  /** `*` among them asks the host. */
  readonly listed: readonly string[];
  readonly credential: Credential;
  readonly send: () => Promise<Send>;
  readonly timeoutMs: number;
  readonly log: Log;
}

/** The form that OpenAI, OpenRouter, Anthropic, Ollama and the rest have in common; other members are theirs. */
const listing = t.type({ data: t.array(t.type({ id: t.string })) });

const urlOf = ({ name, baseUrl }: ProviderSettings): string =>
  name === "anthropic" ? `${baseUrl}/v1/models?limit=1000` : `${baseUrl}/models`;

const idsIn = (attempt: Attempt): E.Either<string, readonly string[]> => {
  if (attempt.kind !== "response") return E.left(attempt.kind === "broken" ? attempt.what : attempt.kind);
  const { status, body } = attempt.response;
  if (status < 200 || status > 299) return E.left(`answered ${status}`);
  return pipe(
    E.tryCatch(
      (): unknown => JSON.parse(Buffer.from(body).toString()),
      () => "answered no JSON",
    ),
    E.chain((json) =>
      listing.is(json) ? E.right(json.data.map(({ id }) => id)) : E.left("answered no list of models"),
    ),
  );
};

/** Resolves within the time limit and never rejects; what the host says is asked for once, until it has said something. */
export const createModelList = (parts: ModelListParts): (() => Promise<readonly ModelChoice[]>) => {
  const { provider, configured, listed, credential, timeoutMs, log } = parts;
  let known: Promise<readonly string[]> | undefined;

  // Several sessions may wait for the same answer, so it hangs on its own time limit and not on any of them.
  const { signal } = new AbortController();

  const fetchIds = async (): Promise<readonly string[]> => {
    const proof = await credential.headers(signal);
    if (E.isLeft(proof)) return failed(proof.left.message);
    const headers = provider.name === "anthropic" ? { "anthropic-version": provider.anthropicVersion } : {};
    const order: HttpOrder = {
      method: "GET",
      url: urlOf(provider),
      headers: { ...headers, ...proof.right },
      body: O.none,
      deadlineMs: timeoutMs,
    };
    const ids = idsIn(await (await parts.send())(order, signal));
    return E.isLeft(ids) ? failed(ids.left) : ids.right;
  };

  /** Only what was said is kept: the next session asks again. */
  const failed = (message: string): readonly string[] => {
    known = undefined;
    log("warn", "the models of the host could not be listed", { provider: provider.name, message });
    return [];
  };

  return async () => {
    const asks = listed.includes("*");
    if (asks) known ??= fetchIds();
    const ids = [configured, ...listed.filter((id) => id !== "*"), ...((await known) ?? [])];
    return [...new Set(ids)].map((id) => ({ id, name: id }));
  };
};
