import { hour } from '../../shared/lib/durations.ts';
import { targetOf } from '../../shared/mutations/run-mutation.ts';
import type { RejectionCode } from '../../shared/mutations/rejection.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import type { SentAgain, Verdict } from '../store/sync-store.ts';

/** Milliseconds after a restore in which a mutation waits for what another device may bring back. */
export const restoreWait = 72 * hour;

/** What another device, a payment's event or the next day may bring back. */
const mayComeBack: ReadonlySet<string> = new Set([
  'not-found',
  'file-missing',
  'subscription-required',
  'too-many-jobs',
] satisfies RejectionCode[]);

export interface Restoring {
  uid: string;
  /** What is missing, as the rejection would say. */
  code: string;
}

/** The mutations of one request that wait for what a restore has lost. */
export interface Waiting {
  readonly restoring: Restoring[];
  /** Rows that those are about, or make: what the same person made of one of them later waits with them. */
  readonly about: Set<string>;
}

export const noneWaiting = (): Waiting => ({ restoring: [], about: new Set() });

/** Everything that a mutation is about, or makes. */
const rowsOf = ({ name, args }: SentMutation): string[] =>
  [targetOf(name, args)?.id, (args as { id?: unknown } | null)?.id].filter((id) => typeof id === 'string');

/**
 * Does this rejection wait instead of being an answer (S13)? Where the mutation is of an earlier timeline, or about a row that one before
 * it waits for.
 */
export function isRestoring(mutation: SentMutation, { status, code }: Verdict, { about }: Waiting): boolean {
  if (status !== 'refused' || code === undefined || !mayComeBack.has(code)) return false;
  return mutation.from !== undefined || rowsOf(mutation).some((id) => about.has(id));
}

/** Notes that it waits. */
export function wait(waiting: Waiting, mutation: SentMutation, code: string): void {
  waiting.restoring.push({ uid: mutation.uid, code });
  for (const id of rowsOf(mutation)) waiting.about.add(id);
}

/** The operator's line on each that came from an earlier timeline. */
export function linesOf(
  mutations: readonly SentMutation[],
  becameOf: (mutation: SentMutation) => SentAgain['became'],
  device: string | undefined,
): SentAgain[] {
  return mutations.flatMap((mutation) =>
    mutation.from === undefined
      ? []
      : [{ uid: mutation.uid, name: mutation.name, from: mutation.from, became: becameOf(mutation), device }],
  );
}
