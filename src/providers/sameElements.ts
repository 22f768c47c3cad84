/** Lists of immutable values that keep their identity, compared by it. */

/** Whether `list` holds the very elements of `beginning`, in their places. */
export const beginsWith = <A>(list: readonly A[], beginning: readonly A[]): boolean =>
  beginning.length <= list.length && beginning.every((element, index) => element === list[index]);

export const isSame = <A>(a: readonly A[], b: readonly A[]): boolean => a.length === b.length && beginsWith(a, b);
