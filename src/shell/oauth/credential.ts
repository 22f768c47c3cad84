/**
 * A login as a credential. Never opens a browser: a request that finds no usable login fails with the command that makes one
 * (spec/providers.md 16.5, headless). Renewal is silent, and goes out once however many requests and processes wait for it.
 */
import * as E from "fp-ts/lib/Either.js";
import * as O from "fp-ts/lib/Option.js";
import type { ModelFailure } from "../../core/model.js";
import { defaultShellLimits } from "../../core/policy.js";
import type { Log } from "../log.js";
import type { Credential, CredentialHeaders } from "../model/credential.js";
import type { Send } from "../model/send.js";
import type { LoginIdentity } from "./identity.js";
import { withLock, type LockTimes } from "./lock.js";
import { discover, refresh, type GrantFailure } from "./server.js";
import { isExpired, type Token } from "./token.js";
import { readTokenFile, writeTokenFile } from "./tokenFile.js";

export interface LoginParts {
  readonly identity: LoginIdentity;
  readonly send: () => Promise<Send>;
  /** Called with every token that comes to be known. */
  readonly addSecret: (value: string) => void;
  readonly log: Log;
}

type Acquired = E.Either<ModelFailure, Token>;

const { loginLockPollMs: pollMs, loginLockWaitMs: waitMs, loginLockStaleMs: staleMs } = defaultShellLimits;
export const LOCK_TIMES: LockTimes = { pollMs, waitMs, staleMs };

const ADVICE = "run `turnfold auth databricks` to sign in, or set DATABRICKS_TOKEN";

const failure = (kind: ModelFailure["kind"], message: string): Acquired => E.left({ kind, message, status: O.none });

const aborted: ModelFailure = { kind: "aborted", message: "cancelled", status: O.none };

export const loginCredential = ({ identity, send, addSecret, log }: LoginParts): Credential => {
  let known: O.Option<Token> = O.none;
  const running = new Map<string, Promise<Acquired>>();

  const keep = (token: Token): Acquired => {
    known = O.some(token);
    for (const secret of [token.accessToken, ...(O.isSome(token.refreshToken) ? [token.refreshToken.value] : [])])
      addSecret(secret);
    return E.right(token);
  };
  const usable = (rejected: string) =>
    O.filter((token: Token) => token.accessToken !== rejected && !isExpired(token, Date.now()));

  /** A token that is neither expired nor `rejected`, from wherever it is nearest. */
  const acquire = async (rejected: string): Promise<Acquired> => {
    const inMemory = usable(rejected)(known);
    if (O.isSome(inMemory)) return E.right(inMemory.value);
    const onDisk = usable(rejected)(await readTokenFile(identity.tokenFile));
    if (O.isSome(onDisk)) return keep(onDisk.value);
    const locked = await withLock(`${identity.tokenFile}.lock`, LOCK_TIMES, () => renewLocked(rejected));
    return E.isLeft(locked) ? failure("transport", locked.left) : locked.right;
  };

  const renewLocked = async (rejected: string): Promise<Acquired> => {
    const stored = await readTokenFile(identity.tokenFile);
    // Whoever held the lock before us has probably done it already.
    const renewed = usable(rejected)(stored);
    if (O.isSome(renewed)) return keep(renewed.value);
    const old = O.isSome(stored) ? stored : known;
    const refreshToken = O.chain(({ refreshToken }: Token) => refreshToken)(old);
    if (O.isNone(refreshToken)) return failure("authentication", `there is no login; ${ADVICE}`);
    const { signal } = new AbortController();
    const endpoints = await discover(await send(), identity.discoveryUrl, signal);
    if (E.isLeft(endpoints)) return refused(endpoints.left);
    const fresh = await refresh(await send(), endpoints.right, refreshToken.value, signal);
    if (E.isLeft(fresh)) return refused(fresh.left);
    return O.isSome(usable(rejected)(O.some(fresh.right)))
      ? save(fresh.right)
      : failure("authentication", `the server gave the same or an expired token again; ${ADVICE}`);
  };

  const refused = ({ kind, why }: GrantFailure): Acquired => {
    log("warn", "the login could not be renewed", { why });
    return kind === "dead"
      ? failure("authentication", `${why}; ${ADVICE}`)
      : failure("transport", `the login could not be renewed: ${why}`);
  };

  /** A token that cannot be written down still serves this process; the next one will have to renew again. */
  const save = async (token: Token): Promise<Acquired> => {
    const kept = keep(token);
    try {
      await writeTokenFile(identity.tokenFile, token);
    } catch (error) {
      log("warn", "the login could not be written to its file", { file: identity.tokenFile, why: String(error) });
    }
    return kept;
  };

  const ourFault = (fault: unknown): Acquired => {
    log("error", "renewing the login failed inside the agent", { fault: String(fault) });
    return failure("internal", "internal error");
  };

  /** One renewal for all who wait for the same. */
  const shared = (rejected: string): Promise<Acquired> => {
    const going =
      running.get(rejected) ??
      acquire(rejected)
        .catch(ourFault)
        .finally(() => running.delete(rejected));
    running.set(rejected, going);
    return going;
  };

  const headersOf = ({ accessToken }: Token): CredentialHeaders => ({ authorization: `Bearer ${accessToken}` });

  return {
    headers: async (signal) => E.map(headersOf)(await untilAborted(shared(""), signal)),
    renew: async (rejected, signal) => {
      const token = (rejected["authorization"] ?? "").replace(/^Bearer /, "");
      return E.map((fresh: Token) => O.some(headersOf(fresh)))(await untilAborted(shared(token), signal));
    },
  };
};

/** The renewal goes on for whoever else waits; only this request stops waiting. */
const untilAborted = (acquired: Promise<Acquired>, signal: AbortSignal): Promise<Acquired> =>
  new Promise((resolve) => {
    const stop = (): void => resolve(E.left(aborted));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    void acquired.then((answer) => {
      signal.removeEventListener("abort", stop);
      return resolve(answer);
    });
    return undefined;
  });
