/** Who bills a request, proven by the base URL alone (`spec/providers.md` 12.1). */
import { fromNullable, none, type Option } from "fp-ts/lib/Option.js";

/** WHATWG URLs are part of every runtime, but the language's own library does not declare them. */
declare const URL: {
  new (text: string): {
    readonly protocol: string;
    readonly username: string;
    readonly password: string;
    readonly port: string;
    readonly hostname: string;
    readonly pathname: string;
  };
  readonly canParse: (text: string) => boolean;
};

/** The path that a host bills under. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["api.anthropic.com", ""],
  ["api.openai.com", "/v1"],
  ["openrouter.ai", "/api/v1"],
]);

/** The billing authority, or none: a look-alike host, a gateway or a proxy proves nothing. */
export const pricingAuthority = (baseUrl: string): Option<string> => {
  // The parser forgets an empty query or fragment, and those disqualify as well.
  if (/[?#]/.test(baseUrl) || !URL.canParse(baseUrl)) return none;
  const url = new URL(baseUrl);
  const plain = url.protocol === "https:" && url.username === "" && url.password === "" && url.port === "";
  return plain && PATHS.get(url.hostname) === url.pathname.replace(/\/+$/, "") ? fromNullable(url.hostname) : none;
};
