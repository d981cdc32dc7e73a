import { fatesOf } from '../network/link.ts';
import { transient } from '../world/server-faults.ts';

/** What must have happened in a batch of seeds: otherwise the batch proves nothing about it, and fails. */
export const expectedCounts: readonly string[] = [
  ...fatesOf.exchange.map((fate) => `fault: ${fate}`),
  ...(['refresh', 'upload', 'shelf', 'change'] as const).flatMap((route) =>
    fatesOf[route].map((fate) => `fault: ${route}: ${fate}`),
  ),
  'fault: a tab sleeps while another person comes',
  'fault: logged out',
  'fault: no signal',
  'fault: heard but not answered (asymmetric partition)',
  'fault: tab killed at an await',
  'fault: tab killed in the middle of a transaction',
  'fault: browser killed',
  'fault: server killed at an await',
  ...['call', 'commit', 'commit that counted'].map((at) => `fault: server killed at a ${at}`),
  'fault: leader frozen',
  'fault: frozen tab thawed',
  'fault: lock stolen',
  'fault: another person signed in on the device',
  'fault: disk error',
  'fault: disk quota',
  'fault: disk quota-at-commit',
  'fault: disk error anywhere',
  'fault: disk error while reading',
  'fault: disk connection lost',
  'fault: disk wiped',
  'fault: profile rolled back',
  'fault: power cut',
  'fault: disk hung',
  'fault: one database thrown away',
  'fault: tab frozen for minutes',
  'fault: background sync',
  'fault: worker killed',
  'session: the worker sends what waits',
  'fault: database restored from a backup',
  'fault: tombstones purged',
  'fault: slow database',
  'fault: a listening connection is deaf',
  'fault: connections to the database are silent',
  'fault: read-only database',
  'fault: a job is taken away by an operator',
  ...transient.flatMap((code) => [`fault: database ${code} at call`, `fault: database ${code} at commit`]),
  'fault: database 08006 at committed',
  'fault: push twice',
  'fault: push late',
  'fault: push to another person’s device',
  'push: shown',
  'fault: token expired',
  'fault: session ended',
  'fault: clock a year out',
  'fault: app of another version',
  'fault: tabs of two versions',
  'fault: servers of two versions',
  'fault: subscription lapses',
  'fault: subscription returns',
  'fault: subscription runs out by itself',
  ...[
    'invalid',
    'not-found',
    'already-exists',
    'job-closed',
    'subscription-required',
    'stale',
    'too-many-photos',
    'foreign-photo',
    'unknown-mutation',
  ].map((code) => `refusal: ${code}`),
  'a stranger was told: uid-reused',
  'outcome: applied',
  'outcome: parked',
  'conflict: closed twice',
  'conflict: expressed twice',
  'conflict: edited on two devices',
  ...['schema', 'view', 'lineage', 'too-old'].map((reason) => `reset: ${reason}`),
  'client: change-carried',
  'a page with more to come',
  'an exchange stopped by a fault',
  'cancelling: cancelled',
  'cancelling: already-sent',
  'told that it was not saved: no room',
  'told that it was not saved: storage failed',
  'client: storage-silent',
  'client: watchdog',
  'client: lock-stolen',
  'client: deposed',
  'client: storage-cleared',
  'client: loop-needs-sign-in',
  'client: loop-needs-update',
  'client: loop-storage-blocked',
];

/** Names that must never be counted: unexpected errors. */
export const isUnforeseen = (what: string): boolean => what.startsWith('unforeseen: ');

/** What is so rare that only this many seeds can be expected to have met it. */
const rare: ReadonlySet<string> = new Set([
  'client: watchdog',
  'client: storage-cleared',
  ...(['refresh', 'upload'] as const).flatMap((route) => fatesOf[route].map((fate) => `fault: ${route}: ${fate}`)),
]);
const enough = { forMost: 100, forAll: 300 } as const;

/** What a batch of so many seeds should have seen and has not. */
export function missingCounts(counts: Readonly<Record<string, number>>, seeds: number): string[] {
  if (seeds < enough.forMost) return [];
  return expectedCounts.filter((what) => (counts[what] ?? 0) === 0 && (seeds >= enough.forAll || !rare.has(what)));
}
