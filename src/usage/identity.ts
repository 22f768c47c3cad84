/** Who bills what (`spec/usage.md` 2.5, 3.6). */
import { isSome, none, some, type Option } from "fp-ts/lib/Option.js";
import { member, type Json } from "../core/json.js";
import { assertNever } from "../core/never.js";
import { readText } from "./read.js";

/** Authority and requested model by which a price is looked up, exactly as they are. */
export interface PricingIdentity {
  readonly authority: string;
  readonly model: string;
  /** Lifetime class of cache writes; None is the provider's default. */
  readonly cacheClass: Option<string>;
}

/** A malformed identity is none, and takes no counter with it (decision 2). */
export const readIdentity = (object: Json | undefined, key: string): Option<PricingIdentity> => {
  const value = member(object, key);
  const authority = readText(value, "authority");
  const model = readText(value, "model");
  const cacheClass = member(value, "cacheClass") ?? null;
  if (!isSome(authority) || !isSome(model) || (cacheClass !== null && typeof cacheClass !== "string")) return none;
  return some({
    authority: authority.value,
    model: model.value,
    cacheClass: cacheClass === null ? none : some(cacheClass),
  });
};

/** The identity of a turn: what every notification of it agreed on. */
export type IdentityFold =
  | { readonly kind: "unseen" }
  | { readonly kind: "proven"; readonly identity: PricingIdentity }
  | { readonly kind: "broken" };

const same = (a: PricingIdentity, b: PricingIdentity): boolean =>
  a.authority === b.authority &&
  a.model === b.model &&
  (isSome(a.cacheClass) ? isSome(b.cacheClass) && a.cacheClass.value === b.cacheClass.value : !isSome(b.cacheClass));

export const foldIdentity = (fold: IdentityFold, identity: Option<PricingIdentity>): IdentityFold => {
  if (!isSome(identity)) return { kind: "broken" };
  switch (fold.kind) {
    case "unseen":
      return { kind: "proven", identity: identity.value };
    case "proven":
      return same(fold.identity, identity.value) ? fold : { kind: "broken" };
    case "broken":
      return fold;
  }
  return assertNever(fold);
};

export const provenIdentity = (fold: IdentityFold): Option<PricingIdentity> =>
  fold.kind === "proven" ? some(fold.identity) : none;
