import type { InvariantId } from '../checker/violation.ts';
import type { Change } from './plant.ts';

export interface Defect {
  name: string;
  changes: readonly Change[];
  /** The rules that should catch it: the first broken one must be among them. */
  caughtBy: readonly InvariantId[];
  /** The search begins at this seed, where an earlier one ended: a seed gives the same run until the code changes. The first where undefined. */
  from?: number;
}

const dropSent = `await ports.db.outbox.where('state').equals('sent').delete();`;

/** Mistakes that others have made, or that we might: each must be caught, or the rules prove nothing. */
export const defects: readonly Defect[] = [
  {
    name: 'bare-sequence cursor',
    from: 35,
    changes: [
      {
        file: 'simulate/server/memory-store.ts',
        was: `rule: VersionRule = 'commit'`,
        is: `rule: VersionRule = 'first-write'`,
      },
    ],
    caughtBy: ['I4', 'I6', 'I7', 'I8', 'I9', 'I15'],
  },
  {
    name: 'updatedAt cursor',
    changes: [
      {
        file: 'simulate/server/memory-store.ts',
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
    name: 'outcome in a second transaction',
    changes: [
      {
        file: 'app/sync/apply-answer.ts',
        was: 'const outcomes = isLast ? answer.outcomes : [];',
        is: 'const outcomes: Outcome[] = [];',
      },
      {
        file: 'app/sync/apply-answer.ts',
        was: 'const changes = changesOf(answer);',
        is: `await ports.db.transaction('rw', [...applyStores], () => settle(ports, answer.outcomes)); const changes = changesOf(answer);`,
      },
    ],
    caughtBy: ['I5', 'I6', 'I10'],
  },
  {
    name: 'write dropped on a transient fault',
    changes: [
      {
        file: 'app/sync/engine.ts',
        was: `case 'busy':\n        return`,
        is: `case 'busy':\n        ${dropSent}\n        return`,
      },
    ],
    caughtBy: ['I3', 'I5', 'I10'],
  },
  {
    name: 'write dropped on 401',
    changes: [
      {
        file: 'app/sync/engine.ts',
        was: `case 'unauthorized':\n        return`,
        is: `case 'unauthorized':\n        ${dropSent}\n        return`,
      },
    ],
    caughtBy: ['I3', 'I5', 'I10'],
  },
  {
    name: 'acknowledged on HTTP 200',
    changes: [
      {
        file: 'app/sync/exchange.ts',
        was: 'if (!result.ok) return',
        is: `if (!result.ok && 'why' in result.failure && result.failure.why === 'not ours, 200') ${dropSent} if (!result.ok) return`,
      },
    ],
    caughtBy: ['I3', 'I5', 'I10'],
  },
  {
    name: 'server rows not restored',
    changes: [
      {
        file: 'app/sync/apply-answer.ts',
        was: 'await restoreServerRows(db, (table, id) => written.has(`${table} ${id}`));',
        is: '',
      },
    ],
    caughtBy: ['I4', 'I5', 'I8', 'I9'],
  },
  {
    name: 'missing removal when a row leaves view',
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
    name: 'random photo path per retry',
    changes: [
      {
        file: 'app/photos/photo-upload-queue.ts',
        was: "{ kind: 'up' } : await uploadOne(photo);",
        is: "{ kind: 'up' } : await uploadOne({ ...photo, path: `${photo.path}-${photo.attempts}` });",
      },
    ],
    caughtBy: ['I12'],
  },
  {
    name: '“saved” on request success instead of transaction complete',
    changes: [
      {
        file: 'app/sync/mutate.ts',
        was: 'await withConnection(db, enqueue);',
        is: 'await new Promise<void>((resolve, reject) => { saves.set(uid, resolve); withConnection(db, enqueue).catch(reject); });',
      },
      {
        file: 'app/sync/mutate.ts',
        was: 'await Promise.all([draft.flush(), db.outbox.add(entry as OutboxEntry)]);',
        is: 'await Promise.all([draft.flush(), db.outbox.add(entry as OutboxEntry)]); saves.get(uid)?.();',
      },
      {
        file: 'app/sync/mutate.ts',
        was: 'interface Intent {',
        is: 'const saves = new Map<string, () => void>();\ninterface Intent {',
      },
    ],
    caughtBy: ['C1'],
  },
  {
    name: 'retry timer lost after an error',
    changes: [
      {
        file: 'app/sync/engine.ts',
        was: `cancelDue = clock.setTimer(wait,`,
        is: `if (failures < 2) cancelDue = clock.setTimer(wait,`,
      },
    ],
    caughtBy: ['I15'],
  },
  {
    name: 'tombstones purged without a floor',
    changes: [
      {
        file: 'sync-server/sync/purge-tombstones.ts',
        was: 'tombstone_floor = greatest(tombstone_floor, (select max(version) from gone))',
        is: 'tombstone_floor = tombstone_floor',
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
        file: 'sync-server/sync/claims.ts',
        was: 'on conflict do nothing`.execute(sql);',
        is: 'on conflict (user_id, uid) do update set status = excluded.status, outcome = excluded.outcome`.execute(sql);',
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
        file: 'simulate/server/memory-statements.ts',
        was: 'rows.map((row) => maskedFor(userId, name, row))',
        is: `rows.map((row) => ({ ...maskedFor(userId, name, row), ...(name === 'jobs' ? { suburb: tx.get('users', String(row['userId']))?.['email'] } : {}) }))`,
      },
    ],
    caughtBy: ['I8'],
  },
  {
    name: 'outbox without strict durability',
    changes: [
      {
        file: 'app/db/person-db.ts',
        was: `chromeTransactionDurability: 'strict',`,
        is: `chromeTransactionDurability: 'relaxed',`,
      },
    ],
    caughtBy: ['I3', 'I10'],
  },
  {
    name: 'pending writes not replayed over an answer',
    changes: [{ file: 'app/sync/apply-answer.ts', was: 'faults = await replayOutbox(ports);', is: '' }],
    caughtBy: ['I5', 'I10'],
  },
  {
    name: 'snapshot that leaves old rows standing',
    changes: [
      {
        file: 'app/sync/apply-answer.ts',
        was: 'if (isSweep) await sweep(db, seen);',
        is: "if (isSweep) await db.meta.delete('snapshot');",
      },
    ],
    caughtBy: ['I8'],
  },
  {
    name: 'cancelling what was sent',
    changes: [
      { file: 'app/sync/outbox.ts', was: `if (entry.state !== 'new') return { kind: 'already-sent' };`, is: '' },
    ],
    caughtBy: ['I1', 'I2', 'I10'],
  },
  {
    name: 'outcomes stored outside of the effect’s transaction',
    changes: [
      {
        file: 'sync-server/sync/push-batch.ts',
        was: 'await decide(sql, undecided,',
        is: 'await decide(database.sql, undecided,',
      },
    ],
    caughtBy: ['I1', 'I3', 'I15', 'I19'],
  },
  {
    name: 'log-out that leaves the database',
    changes: [
      {
        file: 'app/session/create-session.ts',
        was: 'await ports.wipeStorage(userId, isWanted) :',
        is: `('gone' as string) :`,
      },
    ],
    caughtBy: ['I17'],
  },
  {
    name: 'photo deleted without its attach',
    changes: [
      {
        file: 'app/photos/photo-upload-queue.ts',
        was: 'await attach(photo);',
        is: `if (attempts++ % 4 === 0) await db.photos.delete(photo.id); else await attach(photo);`,
      },
      {
        file: 'app/photos/photo-upload-queue.ts',
        was: 'const atOnce = 2;',
        is: 'const atOnce = 2;\nlet attempts = 0;',
      },
    ],
    caughtBy: ['I12'],
  },
  {
    name: 'interest accepted in a closed job',
    from: 38,
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
    changes: [
      { file: 'shared/mutations/job.ts', was: 'allow: isOwner,\n    already:', is: 'allow: () => true,\n    already:' },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'interest in one’s own job',
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
    changes: [{ file: 'shared/mutations/job.ts', was: 'mustNotBeStale(row, args.set, args.base);', is: '' }],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'closing again moves the day of closing',
    changes: [
      { file: 'shared/mutations/job.ts', was: "already: async (_tx, { row }) => row.status === 'closed',", is: '' },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'a renamed business keeps its badge',
    changes: [
      {
        file: 'shared/mutations/profile.ts',
        was: '...(isRenamed ? { isVerified: false } : {})',
        is: '...(isRenamed ? {} : {})',
      },
    ],
    caughtBy: ['I19', 'I5'],
  },
  {
    name: 'token of another person who signed in',
    changes: [
      {
        file: 'app/session/create-tokens.ts',
        was: 'return session?.user.id === userId ? session : undefined;',
        is: 'return session;',
      },
    ],
    caughtBy: ['I17'],
    from: 7,
  },
];
