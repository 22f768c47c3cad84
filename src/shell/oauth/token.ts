/** A login's tokens, as the file holds them and as an authorization server gives them. */
import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as O from "fp-ts/lib/Option.js";
import * as t from "io-ts";

export interface Token {
  readonly accessToken: string;
  readonly refreshToken: O.Option<string>;
  /** Unix seconds; none: it does not expire. */
  readonly expiresAt: O.Option<number>;
}

/** A token is given up this long before its end, so that it does not run out on its way. */
const LEEWAY_SECONDS = 60;

export const isExpired = ({ expiresAt }: Token, nowMs: number): boolean =>
  O.isSome(expiresAt) && Math.floor(nowMs / 1000) + LEEWAY_SECONDS >= expiresAt.value;

const optional = <A>(codec: t.Type<A>) => t.union([codec, t.null, t.undefined]);

const stored = t.intersection([
  t.type({ access_token: t.string }),
  t.partial({ refresh_token: optional(t.string), expires_at: optional(t.number) }),
]);

/** A response may hold a numeric string where a number belongs; anything else is a fault, not "never". */
const granted = t.intersection([
  t.type({ access_token: t.string }),
  t.partial({ refresh_token: optional(t.string), expires_in: optional(t.union([t.number, t.string])) }),
]);

const parse = (text: string): O.Option<unknown> => O.tryCatch((): unknown => JSON.parse(text));

export const parseTokenFile = (text: string): O.Option<Token> =>
  pipe(
    parse(text),
    O.filter(stored.is),
    O.filter(({ access_token: access }) => access !== ""),
    O.map((file) => ({
      accessToken: file.access_token,
      refreshToken: O.fromNullable(file.refresh_token),
      expiresAt: O.fromNullable(file.expires_at),
    })),
  );

export const printTokenFile = ({ accessToken, refreshToken, expiresAt }: Token): string => {
  const file = {
    access_token: accessToken,
    refresh_token: O.toNullable(refreshToken),
    expires_at: O.toNullable(expiresAt),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
};

const expiry = (expiresIn: string | number | null | undefined, nowMs: number): E.Either<string, O.Option<number>> => {
  if (expiresIn === null || expiresIn === undefined) return E.right(O.none);
  const seconds = Math.floor(nowMs / 1000) + Number(expiresIn);
  return Number.isSafeInteger(seconds) ? E.right(O.some(seconds)) : E.left("its expires_in is no sensible number");
};

/** `previous`: the refresh token that stays valid when the server gives no new one. Left: what is wrong, as the end of a sentence. */
export const parseGrant = (body: string, previous: O.Option<string>, nowMs: number): E.Either<string, Token> =>
  pipe(
    parse(body),
    O.filter(granted.is),
    O.filter(({ access_token: access }) => access !== ""),
    E.fromOption(() => "it holds no access token"),
    E.chain((grant) =>
      pipe(
        expiry(grant.expires_in, nowMs),
        E.map((expiresAt) => ({
          accessToken: grant.access_token,
          refreshToken: O.alt(() => previous)(O.fromNullable(grant.refresh_token)),
          expiresAt,
        })),
      ),
    ),
  );
