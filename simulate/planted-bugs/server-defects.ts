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
    name: 'job that moves away is not told to those who hold its old region',
    from: 9,
    isInFew: true,
    changes: [
      {
        file: 'sync-server/sync/cut-to-regions.ts',
        was: 'removes: [...removes.filter(wasIn), ...moved]',
        is: 'removes: removes.filter(wasIn)',
      },
    ],
    caughtBy: ['I4', 'I9'],
  },
  {
    name: 'dependent refused before its job has come back',
    from: 19,
    changes: [{ file: 'sync-server/sync/restoring.ts', was: 'return mutation.from !== undefined ||', is: 'return' }],
    caughtBy: ['I3'],
  },
  {
    name: 'cookie of the old timeline taken for one of the new',
    // The floor, which a new timeline raises above all that was drawn before, would otherwise reset it too.
    changes: [
      { file: 'sync-server/sync/cookie.ts', was: "if (cookie.l !== now.timeline) return 'lineage';", is: '' },
      {
        file: 'sync-server/sync/cookie.ts',
        was: 'if (BigInt(cookie.h ?? cookie.v) <',
        is: 'if (cookie.l === now.timeline && BigInt(cookie.h ?? cookie.v) <',
      },
    ],
    caughtBy: ['I3', 'I4', 'I8', 'I9', 'I10', 'I15'],
  },
  {
    name: 'proof of a later timeline is not believed',
    changes: [
      {
        file: 'sync-server/sync/notice-by-cookie.ts',
        was: 'else if (!(await store.single.readTimelines())',
        is: "else if (head === '' && !(await store.single.readTimelines())",
      },
    ],
    caughtBy: ['I18'],
  },
  {
    name: 'old primary that comes back is believed',
    from: 202,
    changes: [
      {
        file: 'sync-server/db/timeline-fence.ts',
        was: 'if (seen.isSuperseded === true || ended.has(seen.timeline)) throw',
        is: 'if (seen.isSuperseded === true) throw',
      },
    ],
    caughtBy: ['I18'],
  },
  {
    name: 'what a promoted standby lacks counts as known',
    changes: [
      {
        file: 'sync-server/sync/journals.ts',
        was: 'known[previous] = point;',
        is: "known[previous] = '999999999999999999';",
      },
    ],
    caughtBy: ['I3'],
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
    from: 55,
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
    name: 'pages of a first load reset by their own version',
    changes: [
      {
        file: 'sync-server/sync/cookie.ts',
        was: 'if (BigInt(cookie.h ?? cookie.v) <',
        is: 'if (BigInt(cookie.v) <',
      },
    ],
    caughtBy: ['I15'],
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
        was: 'tradieId === actor.tradieId ? ahead : createUnit(tx, mutations,',
        is: 'tradieId === ({} as never) ? ahead : createUnit(store.single as SyncTx, mutations,',
      },
    ],
    caughtBy: ['I1', 'I3', 'I15', 'I19'],
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
    from: 57,
    changes: [{ file: 'shared/mutations/job.ts', was: 'mustNotBeStale(row, args.set, args.base);', is: '' }],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'closing again moves the day of closing',
    from: 71,
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
