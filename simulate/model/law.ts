import type { Person, State } from './state.ts';
import { isFields, type Fields } from './valid.ts';

/** What a person wants to do. */
export interface Act {
  readonly by: string;
  readonly name: string;
  readonly args: unknown;
  /** ISO instant of the decision. */
  readonly at: string;
  /** The existing places and trades; a device has what its person chose from them. */
  readonly lists?: { readonly locations: readonly string[]; readonly categories: readonly string[] } | undefined;
  /** On a device, which rejects nothing by time alone (C12), and does not have the owners of other people's jobs. */
  readonly isOnDevice?: boolean;
  /** It had been applied before a restore of that instant: what was closed since does not hinder it. */
  readonly restoredAt?: Date | undefined;
}

/** `applied`, or the code of a rejection. */
export type Verdict = string;

export interface Asked {
  state: State;
  person: Person;
  act: Act;
  args: Fields;
}
export type Law = (asked: Asked) => Verdict;

/** An edit names the values it began from: a field that another person has changed since is not overwritten. */
export function isStale(row: Fields, set: Fields, base: unknown): boolean {
  const [is, was] = [(field: string) => JSON.stringify(row[field] ?? null), isFields(base) ? base : {}];
  return Object.entries(set).some(
    ([field, wanted]) =>
      is(field) !== JSON.stringify(wanted ?? null) && is(field) !== JSON.stringify(was[field] ?? null),
  );
}

export function isOnLists({ lists }: Act, { locationId, categoryId, categoryIds }: Fields): boolean {
  if (lists === undefined) return true;
  const isPlace = locationId === undefined || locationId === null || lists.locations.includes(String(locationId));
  const trades = [categoryId ?? [], categoryIds ?? []].flat().map(String);
  return isPlace && trades.every((trade) => lists.categories.includes(trade));
}
