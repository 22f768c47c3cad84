/**
 * Remembers what was made of an immutable object, for as long as the object lives. Encoders use it so that an item of history
 * that has not changed is not encoded again, and gives the very same strings to the next request.
 */
export const memoised = <V>(): ((key: object, signature: string, make: () => V) => V) => {
  const made = new WeakMap<object, { readonly signature: string; readonly value: V }>();
  return (key, signature, make) => {
    const found = made.get(key);
    if (found?.signature === signature) return found.value;
    const value = make();
    made.set(key, { signature, value });
    return value;
  };
};
