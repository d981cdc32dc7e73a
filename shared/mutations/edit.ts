import { Rejection, type RejectionFields } from './rejection.ts';

type Fields = Readonly<Record<string, unknown>>;

export const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * An edit carries only what the person changed, and what was there when they began (`base`).
 * Other people's changes to other fields are kept; a field that was changed elsewhere meanwhile is rejected as `stale`
 * with what is there now, and the person chooses.
 */
export function mustNotBeStale(row: Fields, set: Fields, base: Fields): void {
  const stale: Record<string, string> = {};
  for (const [field, wanted] of Object.entries(set)) {
    if (same(row[field], wanted) || same(row[field], base[field])) continue;
    stale[field] = JSON.stringify(row[field] ?? null);
  }
  if (Object.keys(stale).length > 0) {
    throw new Rejection(
      'stale',
      'This was changed on another device in the meantime. Choose which version to keep.',
      stale,
    );
  }
}

/** What is there now in the fields that were stale; none for a rejection of another kind. */
export function currentValues(rejected: { readonly code: string; readonly fields: RejectionFields | null }): Fields {
  if (rejected.code !== 'stale') return {};
  return Object.fromEntries(
    Object.entries(rejected.fields ?? {}).map(([field, text]) => [field, JSON.parse(text) as unknown]),
  );
}
