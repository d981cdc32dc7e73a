/** The search part of the address, as the router has parsed it: untrusted. */
export type RawSearch = Readonly<Record<string, unknown>>;

/*
 * Plain functions: a schema library for seven fields would add to every first visit. An invalid value counts as absent.
 */

/** The router parses digits alone as a number, and `true` as a truth. */
export function readText(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

export function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

export function readNumber(
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  return typeof value === 'number' && value >= least && value <= most ? value : undefined;
}

export function oneOf<const Option extends string>(options: readonly Option[]): (value: unknown) => Option | undefined {
  return (value) => options.find((option) => option === value);
}
