/**
 * Makes the value at the first call, and then gives the same. For `Intl`'s formatters and collators: five of them cost
 * a page 20 to 70 ms in a profile, and a module that makes one at its top level makes every page wait that loads it.
 */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
