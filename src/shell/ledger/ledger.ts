/** The ledger as the commands use it: opened with its tables ready, filled from the outbox. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { type Either, isLeft, left, right } from "fp-ts/lib/Either.js";
import { describeFault, openDatabase, type Database } from "./database.js";
import { countWaiting, discard, outboxOf, waiting } from "./outbox.js";
import { rebuildIndex } from "./rebuild.js";
import { prepareSchema } from "./schema.js";
import { addEntries } from "./store.js";

const seconds = (): number => Math.floor(Date.now() / 1000);

/** Where the ledger is unless somebody says otherwise. */
export const defaultLedger = (environment: Readonly<Record<string, string | undefined>>): string => {
  const base = environment["XDG_DATA_HOME"];
  const folder = base !== undefined && path.isAbsolute(base) ? base : path.join(homedir(), ".local", "share");
  return path.join(folder, "turnfold", "usage.sqlite");
};

/** Opens the ledger, does one thing with it, and closes it. Left: one line of why that was not possible. */
export const withLedger = <A>(file: string, use: (database: Database) => A): Either<string, A> => {
  const opened = openDatabase(file);
  if (isLeft(opened)) return opened;
  const database = opened.right;
  try {
    const schema = prepareSchema(database, seconds());
    if (schema.kind === "newer")
      return left(
        `the ledger ${file} was written by a newer version of turnfold (${schema.marker}); nothing was changed`,
      );
    return right(use(database));
  } catch (fault) {
    return left(describeFault(file, fault));
  } finally {
    database.close();
  }
};

const BATCH = 500;

/** Stores everything that waits in the outbox. Right: how many turns were new. Left: why what is left goes on waiting. */
export const deliver = async (file: string): Promise<Either<string, number>> => {
  let added = 0;
  for (;;) {
    const posted = await waiting(file, BATCH);
    if (posted.length === 0) return right(added);
    const entries = posted.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    const stored = withLedger(file, (database) => database.transaction(() => addEntries(database, entries, seconds())));
    if (isLeft(stored)) return left(`${stored.left}; ${await countWaiting(file)} turns wait in ${outboxOf(file)}`);
    added += stored.right;
    // Only what the ledger has for good is taken out.
    const kept = (await Promise.all(posted.map(discard))).filter((done) => !done).length;
    // They are stored, and will be again; going on would be for ever.
    if (kept > 0) return left(`${kept} turns are stored, but cannot be taken out of ${outboxOf(file)}`);
  }
};

export const rebuild = (file: string): Either<string, number> =>
  existsSync(file)
    ? withLedger(file, (database) => database.transaction(() => rebuildIndex(database)))
    : left(`there is no ledger at ${file}`);
