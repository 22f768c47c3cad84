/** How requests leave the machine: proxies, and whom to trust (decisions.md, Model replies). */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { ReadFile } from "./files.js";
import { configError, quoted, raw, readAll, readEitherCase, type Environment, type Judged } from "./read.js";
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
  const pem = readFile(file.value);
  if (E.isLeft(pem)) {
    const fault = `${quoted(file.value)} cannot be read: ${pem.left}`;
    return E.left(configError(certificates.name, fault, "a readable PEM file"));
  }
  const extra = raw(env, extraCertificates.name);
  const added = O.isNone(extra) ? undefined : readFile(extra.value);
  return E.right(added === undefined || E.isLeft(added) ? [pem.right] : [pem.right, added.right]);
};

export const readNetwork = (env: Environment, readFile: ReadFile): Judged<NetworkSettings> => {
  const found = readAll({
    http: readEitherCase(env, SETTINGS.httpProxy),
    https: readEitherCase(env, SETTINGS.httpsProxy),
    all: readEitherCase(env, SETTINGS.allProxy),
    noProxy: readEitherCase(env, SETTINGS.noProxy),
    authorities: readAuthorities(env, readFile),
  });
  if (E.isLeft(found)) return found;
  const { http, https, all, noProxy, authorities } = found.right;
  return E.right({
    httpProxy: O.isSome(http) ? http : all,
    httpsProxy: O.isSome(https) ? https : all,
    noProxy: O.isSome(noProxy) ? noProxy.value : "",
    authorities,
  });
};
