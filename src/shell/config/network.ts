/** How requests leave the machine: proxies, and whom to trust (decisions.md, Model replies). */
import { sequenceS } from "fp-ts/lib/Apply.js";
import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as O from "fp-ts/lib/Option.js";
import { read, readEitherCase, type Environment, type Judged } from "./read.js";
import { SETTINGS } from "./variables.js";

export interface NetworkSettings {
  readonly httpProxy: O.Option<string>;
  readonly httpsProxy: O.Option<string>;
  /** Comma list of hosts, "" for none. */
  readonly noProxy: string;
  /** PEM files: what replaces Node's certificate authorities, and what is added to them. */
  readonly certificateFile: O.Option<string>;
  readonly extraCertificateFile: O.Option<string>;
}

export const readNetwork = (env: Environment): Judged<NetworkSettings> =>
  pipe(
    sequenceS(E.Applicative)({
      http: readEitherCase(env, SETTINGS.httpProxy),
      https: readEitherCase(env, SETTINGS.httpsProxy),
      all: readEitherCase(env, SETTINGS.allProxy),
      noProxy: readEitherCase(env, SETTINGS.noProxy),
      certificateFile: read(env, SETTINGS.certificates),
      extraCertificateFile: read(env, SETTINGS.extraCertificates),
    }),
    E.map(({ http, https, all, noProxy, ...files }) => ({
      httpProxy: O.alt(() => all)(http),
      httpsProxy: O.alt(() => all)(https),
      noProxy: O.getOrElse(() => "")(noProxy),
      ...files,
    })),
  );
