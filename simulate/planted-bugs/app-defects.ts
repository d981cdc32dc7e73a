import type { Defect } from './defect.ts';

const dropSent = `await ports.db.outbox.where('state').equals('sent').delete();`;

/** Bugs of the device: what a person saved, sent, saw or left behind. */
export const appDefects: readonly Defect[] = [
  {
    name: 'alert shown to another person who is signed in',
    changes: [{ file: 'app/worker/show-alert.ts', was: 'here !== notification.data.for', is: 'here === undefined' }],
    caughtBy: ['I17'],
  },
  {
    name: 'journal entry dropped with the acknowledgement',
    changes: [{ file: 'app/sync/journal.ts', was: 'kept.length === 0) return;', is: 'kept.length >= 0) return;' }],
    caughtBy: ['I3'],
  },
  {
    name: 'healed under a new uid',
    changes: [
      {
        file: 'app/sync/journal.ts',
        was: 'return { uid, seq, name, args, at, base, from, state',
        is: "return { uid: uid.replace(/.{8}/, 'ffffffff'), seq, name, args, at, base, from, state",
      },
    ],
    caughtBy: ['I3', 'I13', 'I17'],
  },
  {
    name: 'healed after what was made later',
    changes: [
      {
        file: 'app/sync/journal.ts',
        was: 'return { uid, seq, name, args, at, base, from, state',
        is: 'return { uid, seq: seq + 1_000_000, name, args, at, base, from, state',
      },
    ],
    caughtBy: ['I2', 'I5', 'I10', 'I3'],
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
        was: 'const failedUids: string[] = [];',
        is: `await ports.db.transaction('rw', [...applyStores], () => settle(ports, answer, answer.outcomes)); const failedUids: string[] = [];`,
      },
    ],
    caughtBy: ['I5', 'I6', 'I10'],
  },
  {
    name: 'write dropped on a transient error',
    from: 2,
    changes: [
      {
        file: 'app/sync/classify-exchange.ts',
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
        file: 'app/sync/classify-exchange.ts',
        was: `case 'unauthorized':\n        return`,
        is: `case 'unauthorized':\n        ${dropSent}\n        return`,
      },
    ],
    caughtBy: ['I3', 'I5', 'I10'],
  },
  {
    name: 'acknowledged on HTTP 200',
    from: 29,
    changes: [
      {
        file: 'app/sync/exchange.ts',
        was: 'if (!result.ok) {',
        is: `if (!result.ok && 'why' in result.failure && result.failure.why === 'not ours, 200') ${dropSent} if (!result.ok) {`,
      },
    ],
    caughtBy: ['I3', 'I5', 'I10'],
  },
  {
    name: 'server rows not restored',
    changes: [
      {
        file: 'app/sync/server-rows.ts',
        was: 'say(serverRow.table, serverRow.id, (serverRow.row ?? undefined) as Row | undefined);',
        is: '',
      },
    ],
    caughtBy: ['I4', 'I5', 'I8', 'I9'],
  },
  {
    name: 'what the server says under a waiting write is not kept',
    changes: [
      {
        file: 'app/sync/server-rows.ts',
        was: 'if (!serverRows.has(id) || !same(serverRows.get(id), serverRow)) newServerRows.push(serverRow);',
        is: 'if (!serverRows.has(id)) newServerRows.push(serverRow);',
      },
    ],
    caughtBy: ['I4', 'I5', 'I8', 'I9'],
  },
  {
    name: 'random photo path per retry',
    changes: [
      {
        file: 'app/photos/photo-upload-queue.ts',
        was: 'await uploadOne(photo, round);',
        is: 'await uploadOne({ ...photo, path: `${photo.path}-${photo.attempts}` }, round);',
      },
    ],
    caughtBy: ['I12'],
  },
  {
    name: '“saved” on request success instead of transaction complete',
    changes: [
      {
        file: 'app/sync/mutate.ts',
        was: 'const written = persist();',
        is: 'const written = new Promise<void>((resolve, reject) => { saves.set(uid, resolve); persist().catch(reject); });',
      },
      {
        file: 'app/sync/mutate.ts',
        was: 'await Promise.all([write(), writeCompanions(db, companions)]);',
        is: 'await Promise.all([write(), writeCompanions(db, companions)]); saves.get(uid)?.();',
      },
      {
        file: 'app/sync/mutate.ts',
        was: 'async function enqueueInTransaction(',
        is: 'const saves = new Map<string, () => void>();\nasync function enqueueInTransaction(',
      },
    ],
    caughtBy: ['C1'],
  },
  {
    name: '“saved” shown before it is written',
    changes: [{ file: 'app/sync/foresee.ts', was: `state: 'saving' }`, is: `state: 'new' }` }],
    caughtBy: ['C1'],
  },
  {
    name: 'answer shown over writes that wait',
    changes: [{ file: 'app/sync/show-answer.ts', was: ' && leavesNoneWaiting(rows.shown, answer)', is: '' }],
    caughtBy: ['I4', 'I8', 'I9', 'I10'],
  },
  {
    name: 'answer shown as if it decided all that waits',
    changes: [
      {
        file: 'app/sync/show-answer.ts',
        was: '.every((uid) => applied.has(uid))',
        is: '.some((uid) => applied.has(uid))',
      },
    ],
    caughtBy: ['I4', 'I5', 'I8', 'I9', 'I10'],
  },
  {
    name: 'screens that hear nothing of other tabs',
    changes: [{ file: 'app/db/private-rows.ts', was: '    hear(commit);\n    listeners.tell();', is: '' }],
    caughtBy: ['I4'],
  },
  {
    name: 'retry timer lost after an error',
    from: 11,
    changes: [
      {
        file: 'app/sync/engine.ts',
        was: `const cancel = clock.setTimer(wait,`,
        is: `const cancel = progress.failures > 1 ? () => {} : clock.setTimer(wait,`,
      },
    ],
    caughtBy: ['I15'],
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
    changes: [
      {
        file: 'app/sync/apply-answer.ts',
        was: 'failedUids = await replayOutbox(ports, server);',
        is: 'await server.write([]);',
      },
    ],
    caughtBy: ['I5', 'I10'],
  },
  {
    name: 'snapshot that leaves old rows standing',
    from: 2,
    changes: [
      {
        file: 'app/sync/apply-answer.ts',
        was: 'const swept = isSweep ? await server.sweep(seen) : [];',
        is: 'const swept: Change[] = [];',
      },
    ],
    caughtBy: ['I8'],
  },
  {
    name: 'cancelling what was sent',
    from: 29,
    changes: [
      {
        file: 'app/sync/outbox.ts',
        was: `if (entry.state !== 'new' || (await isLeaving(db, entry.seq))) return { kind: 'already-sent' };`,
        is: '',
      },
    ],
    caughtBy: ['I1', 'I2', 'I10'],
  },
  {
    name: 'log-out that leaves the database',
    changes: [
      {
        file: 'app/session/finish-leaving.ts',
        was: 'await wipe() :',
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
];
