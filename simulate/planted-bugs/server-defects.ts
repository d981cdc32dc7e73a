import type { Defect } from './defect.ts';

/** Bugs of the server, and of the rules that both sides run. */
export const serverDefects: readonly Defect[] = [
  {
    name: 'carried cookie without its rows',
    changes: [
      {
        file: 'sync-server/sync/poke.ts',
        was: 'device.tell(changed.people.has(device.listener.userId) ? undefined : shared);',
        is: 'device.tell(shared);',
      },
    ],
    caughtBy: ['I4', 'I6', 'I9', 'I10', 'I15'],
  },
  {
    name: 'bare-sequence cursor',
    from: 171,
    changes: [
      {
        file: 'sync-server/testing/memory-store/memory-engine.ts',
        was: `rule: VersionRule = 'commit'`,
        is: `rule: VersionRule = 'first-write'`,
      },
    ],
    caughtBy: ['I4', 'I6', 'I7', 'I8', 'I9', 'I15'],
  },
  {
    name: 'updatedAt cursor',
    from: 54,
    changes: [
      {
        file: 'sync-server/testing/memory-store/memory-engine.ts',
        was: `rule: VersionRule = 'commit'`,
        is: `rule: VersionRule = 'clock'`,
      },
    ],
    caughtBy: ['I4', 'I6', 'I7', 'I8', 'I9', 'I15'],
  },
  {
    name: 'outcomes on an intermediate page',
    changes: [
      { file: 'sync-server/sync/pull.ts', was: ".filter(({ code }) => !more || code === 'uid-reused')", is: '' },
    ],
    caughtBy: ['I6', 'I10'],
  },
  {
    name: 'missing removal when a row leaves view',
    from: 2,
    changes: [
      {
        file: 'sync-server/sync/pull.ts',
        was: 'if (gone.length > 0) removes[table]',
        is: 'if (gone.length < 0) removes[table]',
      },
    ],
    caughtBy: ['I8'],
  },
  {
    name: 'tombstones purged without a floor',
    from: 29,
    changes: [
      {
        file: 'sync-server/testing/memory-store/memory-changes.ts',
        was: 'if (gone.length > 0) tx.put(',
        is: 'if (gone.length < 0) tx.put(',
      },
    ],
    caughtBy: ['I4', 'I7', 'I8', 'I15'],
  },
  {
    name: 'uid not checked',
    changes: [
      {
        file: 'sync-server/sync/claims.ts',
        was: 'undecided: batch.filter(({ uid }) => !hashes.has(uid.toLowerCase())),',
        is: 'undecided: [...batch],',
      },
      {
        file: 'sync-server/testing/memory-store/memory-outcomes.ts',
        was: "if (tx.get('sync_mutation', key) !== undefined) return false;",
        is: '',
      },
    ],
    caughtBy: ['I1'],
  },
  {
    name: 'access scope unchanged on lapse',
    changes: [
      {
        file: 'sync-server/sync/cookie.ts',
        was: `:\${hasSubscription(actor, now)}`,
        is: `:\${hasSubscription(actor, now) || true}`,
      },
      {
        file: 'sync-server/collections/collection-answer.ts',
        was: '(actor !== undefined && hasSubscription(actor, now))',
        is: '(actor !== undefined && actor.tradieId !== null && now !== "")',
      },
    ],
    caughtBy: ['I8'],
  },
  {
    name: 'homeowner’s email in a job payload',
    changes: [
      {
        file: 'sync-server/testing/memory-store/memory-rows.ts',
        was: 'rows.map((row) => maskedFor(userId, table, row))',
        is: `rows.map((row) => ({ ...maskedFor(userId, table, row), ...((table as string) === 'jobs' ? { suburb: tx.get('users', String(row['userId']))?.['email'] } : {}) }))`,
      },
    ],
    caughtBy: ['I8'],
  },
  {
    name: 'outcomes stored outside of the effect’s transaction',
    changes: [
      {
        file: 'sync-server/sync/push-batch.ts',
        was: 'await decide(tx, undecided,',
        is: 'await decide(store.single as SyncTx, undecided,',
      },
    ],
    caughtBy: ['I1', 'I3', 'I15', 'I19'],
  },
  {
    name: 'interest accepted in a closed job',
    from: 109,
    changes: [
      {
        file: 'shared/mutations/interest.ts',
        was: "if (row.status === 'closed') {",
        is: "if (row.status === 'closed' && now === '') {",
      },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'closed jobs can be edited',
    from: 2,
    changes: [
      {
        file: 'shared/mutations/job.ts',
        was: "row.status === 'closed' ? new Rejection('job-closed', 'Closed",
        is: "row.status === ('shut' as string) ? new Rejection('job-closed', 'Closed",
      },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'any person closes any job',
    from: 6,
    changes: [
      { file: 'shared/mutations/job.ts', was: 'allow: isOwner,\n    already:', is: 'allow: () => true,\n    already:' },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'interest in one’s own job',
    from: 2,
    changes: [
      {
        file: 'shared/mutations/interest.ts',
        was: 'actor.tradieId !== null && row.userId !== actor.id',
        is: 'actor.tradieId !== null && row.id !== actor.id',
      },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'an edit overwrites what another device has changed',
    from: 52,
    changes: [{ file: 'shared/mutations/job.ts', was: 'mustNotBeStale(row, args.set, args.base);', is: '' }],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'closing again moves the day of closing',
    from: 56,
    changes: [
      { file: 'shared/mutations/job.ts', was: "already: async (_tx, { row }) => row.status === 'closed',", is: '' },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'a renamed business keeps its badge',
    from: 2,
    changes: [
      {
        file: 'shared/mutations/profile.ts',
        was: '...(isRenamed ? { isVerified: false } : {})',
        is: '...(isRenamed ? {} : {})',
      },
    ],
    caughtBy: ['I19', 'I5'],
  },
];
