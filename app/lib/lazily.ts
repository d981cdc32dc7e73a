/**
 * Makes it when it is first asked for, and then gives the same. For `Intl`'s formatters and collators: each costs a browser some 5 to 20 ms on
 * a desk, four times that on a phone, and a module that makes one at its top makes every page wait that loads it.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
