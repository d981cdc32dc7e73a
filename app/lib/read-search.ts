/** The search part of the address by its names, untrusted; in what a link passes, with the values of each page. */
export type RawSearch = Readonly<Record<string, unknown>>;

/*
 * Plain functions: a schema library for seven fields would add to every first visit. An invalid value counts as absent.
 */

/** Each value is the text that stands there, of a name that comes twice the first. */
export function parseSearch(query: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(query)].toReversed());
}

/** What is undefined is left out. */
export function stringifySearch(search: RawSearch): string {
  const named = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return named.length === 0 ? '' : `?${new URLSearchParams(named)}`;
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function readFlag(value: unknown): boolean | undefined {
  const text = String(value);
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

export function readNumber(
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : undefined;
}

export function oneOf<const Option extends string>(options: readonly Option[]): (value: unknown) => Option | undefined {
  return (value) => options.find((option) => option === value);
}
