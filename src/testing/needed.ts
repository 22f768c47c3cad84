/** The last polish of a counterexample: what can be left out is left out, one by one, until nothing can. */
export const neededOf = <A>(list: readonly A[], fails: (list: readonly A[]) => boolean): readonly A[] => {
  let needed = list;
  for (let place = needed.length - 1; place >= 0; place -= 1) {
    const without = needed.toSpliced(place, 1);
    if (fails(without)) {
      needed = without;
      // What stood behind may not be needed any more now.
      place = needed.length;
    }
  }
  return needed;
};
