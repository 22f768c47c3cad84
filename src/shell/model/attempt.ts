/** What one HTTP request came to, and how a transport failure is told. */
import type { HttpResponse } from "../../providers/dialect.js";

export type Phase = "connect" | "headers" | "body";

export type Attempt =
  | { readonly kind: "response"; readonly response: HttpResponse }
  /** Out of time in this phase; `ms` is what the phase had. */
  | { readonly kind: "timedOut"; readonly phase: Phase; readonly ms: number }
  /** No whole response came. `again`: the next try may do better. */
  | { readonly kind: "broken"; readonly what: string; readonly again: boolean }
  /** A reply over the limit, refused without reading it to its end. */
  | { readonly kind: "tooLarge" }
  | { readonly kind: "aborted" };

/** Node's and OpenSSL's names for a certificate that is not trusted; trying again changes nothing about it. */
const CERTIFICATE =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH)/;

const told: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused; is the host running and the base URL right?",
  ENOTFOUND: "the host name is not known; is the base URL right?",
  EAI_AGAIN: "the host name could not be looked up",
  ECONNRESET: "the connection was dropped",
  UND_ERR_SOCKET: "the connection was dropped",
  EPIPE: "the connection was dropped",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  UND_ERR_HEADERS_OVERFLOW: "the response's headers are too large",
};

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
};

/** A proxy that answers CONNECT with a status says it in the text of an error, and nowhere else. */
const proxyStatus = (error: Error): string | undefined => /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];

export const brokenBy = (error: unknown): Attempt => {
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  const status = error instanceof Error ? proxyStatus(error) : undefined;
  if (status === "407") {
    return { kind: "broken", what: "the proxy wants a user and password (407); put them into its URL", again: false };
  }
  if (status !== undefined)
    return { kind: "broken", what: `the proxy refused the connection (${status})`, again: true };
  if (CERTIFICATE.test(code)) {
    const what = `the certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS can name a file with its authority`;
    return { kind: "broken", what, again: false };
  }
  const known = told[code];
  if (known !== undefined) return { kind: "broken", what: `${known} (${code})`, again: true };
  if (error instanceof Error && error.name === "HTTPParserError") {
    return { kind: "broken", what: `the response is not HTTP: ${text}`, again: true };
  }
  // Our own mistake, such as a header that may not be sent: the same request would fail the same way.
  const again = code !== "UND_ERR_INVALID_ARG" && code !== "ERR_INVALID_URL";
  return { kind: "broken", what: code === "" ? text : `${text} (${code})`, again };
};
