/** Options of the core's types, made and read without fp-ts: whoever embeds these helpers needs fast-check alone. */
type OptionOf<A> = { readonly _tag: "None" } | { readonly _tag: "Some"; readonly value: A };

export const none: OptionOf<never> = { _tag: "None" };
export const some = <A>(value: A): OptionOf<A> => ({ _tag: "Some", value });

/** The value, or undefined. */
export const valueOf = <A>(option: OptionOf<A>): A | undefined => (option._tag === "Some" ? option.value : undefined);
