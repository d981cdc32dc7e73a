import type { TestedDefect } from './defect.ts';

const [held, carried, memory] = [
  'sync-server/sync/held-locks.pg.test.ts',
  'sync-server/sync/carried-changes.pg.test.ts',
  'sync-server/sync/memory-answers.pg.test.ts',
];

/** Bugs of the server and its schema. */
export const testedServerDefects: readonly TestedDefect[] = [
  // Seeds met it in what a restore brings back, which may come to a closed job (S13); else in one of several hundred.
  {
    name: 'interest accepted in a closed job',
    changes: [
      {
        file: 'shared/mutations/interest.ts',
        was: "if (row.status === 'closed') {",
        is: "if (row.status === 'closed' && now === '') {",
      },
    ],
    caughtBy: {
      file: 'shared/mutations/run-mutation.test.ts',
      test: 'objectionTo() says why a control is not offered, or nothing',
    },
  },
  {
    name: 'carried to a person whose subscription has ended',
    changes: [
      { file: 'sync-server/sync/carried-changes.ts', was: '!== accessScopeOf(actor, now)', is: '!== cookie.w' },
    ],
    caughtBy: { file: carried, test: 'P10: nothing of it goes to a person whose subscription has ended' },
  },
  {
    name: 'carried to a session that has ended',
    changes: [
      {
        file: 'sync-server/sync/listening-device.ts',
        was: '(await to.isSessionLive())',
        is: 'to.device !== undefined',
      },
    ],
    caughtBy: { file: carried, test: 'P10: nothing of it goes to a session that has ended' },
  },
  {
    name: 'memory without age limit',
    changes: [
      {
        file: 'sync-server/sync/exchange.ts',
        was: 'if (age < 0 || age > maxRememberedMs) return undefined;',
        is: '',
      },
      {
        file: 'sync-server/sync/poke.ts',
        was: 'return age >= 0 && age <= freshness.head && hearing.ageMs <= freshness.proof;',
        is: 'return age >= 0 || freshness.head > 0;',
      },
      { file: 'sync-server/sync/poke.ts', was: 'headTimer = setInterval(notice, freshness.look).unref();', is: '' },
    ],
    caughtBy: {
      file: 'sync-server/sync/fresh-memory.pg.test.ts',
      test: 'S10: a person whose subscription ended while this instance received no notices',
    },
  },
  {
    name: 'bare-sequence cursor',
    changes: [
      {
        file: 'sync-server/testing/memory-store/memory-engine.ts',
        was: `rule: VersionRule = 'commit'`,
        is: `rule: VersionRule = 'first-write'`,
      },
    ],
    caughtBy: {
      file: 'sync-server/store/concurrent-store.pg.test.ts',
      test: '[S3][I4] what began first and commits last is above what a device has read meanwhile',
    },
  },
  {
    name: 'commit lock removed',
    changes: [
      {
        file: 'sync-server/db/sync-triggers.ts',
        was: 'perform pg_advisory_xact_lock(${advisoryLocks.commit});',
        is: '',
      },
    ],
    caughtBy: {
      file: held,
      test: '[S3] a commit draws no version while another one that has drawn its own is not visible yet',
    },
    isInSchema: true,
  },
  {
    name: 'person’s row not locked',
    changes: [
      {
        file: 'sync-server/store/sql-rows.ts',
        was: 'where t.id = ${userId} for no key update`',
        is: 'where t.id = ${userId}`',
      },
    ],
    caughtBy: { file: held, test: '[S1][S2] the person’s row is locked until their request has committed' },
  },
  {
    name: 'memory answers that ignore the timeline',
    changes: [{ file: 'sync-server/sync/exchange.ts', was: 'if (cookie.l !== position.timeline || ', is: 'if (' }],
    caughtBy: { file: memory, test: 'is not given to a cookie of another timeline' },
  },
  {
    name: 'memory answers that ignore the access scope',
    changes: [
      {
        file: 'sync-server/sync/exchange.ts',
        was: 'const areCurrent = asked.every(',
        is: 'const areCurrent = asked.some(',
      },
    ],
    caughtBy: { file: memory, test: 'is not given for one collection because another is up to date' },
  },
  {
    name: 'memory answers that ignore a moved head',
    changes: [
      {
        file: 'sync-server/sync/exchange.ts',
        was: 'position.head !== head || cookie.v !== head',
        is: 'cookie.v !== head',
      },
    ],
    caughtBy: { file: memory, test: 'is not given from values cached at another head' },
  },
];
