/** How requests leave the machine: proxies, and whom to trust (decisions.md, Model replies). */
import { sequenceS } from "fp-ts/lib/Apply.js";
import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as O from "fp-ts/lib/Option.js";
import type { ReadFile } from "./files.js";
import { configError, quoted, raw, readEitherCase, type Environment, type Judged } from "./read.js";
import { SETTINGS } from "./variables.js";

export interface NetworkSettings {
  readonly httpProxy: O.Option<string>;
  readonly httpsProxy: O.Option<string>;
  /** Comma list of hosts, "" for none. */
  readonly noProxy: string;
  /** PEM files of the certificate authorities to trust; none: those that Node trusts. */
  readonly authorities: readonly Uint8Array[];
}

/**
 * `SSL_CERT_FILE` replaces the authorities, as it does for OpenSSL; `NODE_EXTRA_CA_CERTS` is added to whatever there is. Node
 * honours the latter by itself (and goes on if it cannot be read), but no longer once a list is given.
 */
const readAuthorities = (env: Environment, readFile: ReadFile): Judged<readonly Uint8Array[]> => {
  const { certificates, extraCertificates } = SETTINGS;
  const file = raw(env, certificates.name);
  if (O.isNone(file)) return E.right([]);
  const extra = raw(env, extraCertificates.name);
  const added = O.isSome(extra)
    ? E.foldW(
        () => [],
        (pem: Uint8Array) => [pem],
      )(readFile(extra.value))
    : [];
  return pipe(
    readFile(file.value),
    E.bimap(
      (why) => configError(certificates.name, `${quoted(file.value)} cannot be read: ${why}`, "a readable PEM file"),
      (pem) => [pem, ...added],
    ),
  );
};

export const readNetwork = (env: Environment, readFile: ReadFile): Judged<NetworkSettings> =>
  pipe(
    sequenceS(E.Applicative)({
      http: readEitherCase(env, SETTINGS.httpProxy),
      https: readEitherCase(env, SETTINGS.httpsProxy),
      all: readEitherCase(env, SETTINGS.allProxy),
      noProxy: readEitherCase(env, SETTINGS.noProxy),
      authorities: readAuthorities(env, readFile),
    }),
    E.map(({ http, https, all, noProxy, authorities }) => ({
      httpProxy: O.alt(() => all)(http),
      httpsProxy: O.alt(() => all)(https),
      noProxy: O.getOrElse(() => "")(noProxy),
      authorities,
    })),
  );
