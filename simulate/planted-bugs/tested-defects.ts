import type { Change } from './plant.ts';

/** A bug that heals by itself, or that seeds meet too seldom: one test must fail at once where it is planted. */
export interface TestedDefect {
  name: string;
  changes: readonly Change[];
  /** The file, and the test's own name or a part of it. */
  caughtBy: { file: string; test: string };
  /** It is in code that makes a test's database, which the tests of one run share. */
  isInSchema?: boolean;
}

const [edges, late, memory] = [
  'app/sync/edges.dom.test.ts',
  'app/collections/late-answers.dom.test.ts',
  'sync-server/sync/memory-answers.pg.test.ts',
];
const [held, carried] = ['sync-server/sync/held-locks.pg.test.ts', 'sync-server/sync/carried-changes.pg.test.ts'];

export const testedDefects: readonly TestedDefect[] = [
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
    name: 'token of another person who signed in',
    changes: [
      {
        file: 'app/session/create-tokens.ts',
        was: 'return session?.user.id === userId ? session : undefined;',
        is: 'return session;',
      },
    ],
    caughtBy: {
      file: 'app/session/create-tokens.dom.test.ts',
      test: '[S9] another person’s session is no session: no token, nothing renewed, and nothing asked of the provider',
    },
  },
  {
    name: 'versions of shared collections without their timeline',
    changes: [
      {
        file: 'app/collections/collections-on-device.ts',
        was: `if (version !== null && typeof state.timeline === 'string') asked.timelines[collection] = state.timeline;`,
        is: '',
      },
    ],
    caughtBy: {
      file: 'app/collections/after-a-restore.dom.test.ts',
      test: '[S11] a version is asked for together with its timeline, from the shared database too',
    },
  },
  {
    name: 'changes written over another timeline',
    changes: [
      {
        file: 'app/collections/apply-collection-answer.ts',
        was: ' && (answer.timeline ?? state.timeline) === state.timeline',
        is: '',
      },
    ],
    caughtBy: {
      file: 'app/collections/after-a-restore.dom.test.ts',
      test: '[S11] a change is written only over the timeline it was asked from',
    },
  },
  {
    name: 'unfenced manifest',
    changes: [
      {
        file: 'app/collections/apply-collection-answer.ts',
        was: `if ((await fence?.isBarred()) === true) return 'barred';`,
        is: '',
      },
    ],
    caughtBy: {
      file: late,
      test: 'to a tab that no longer leads, or over another cookie, writes nothing: no snapshot, no change, no denial',
    },
  },
  {
    name: 'older manifest that comes late',
    changes: [
      {
        file: 'app/collections/apply-collection-answer.ts',
        was: `if (isNewer(newest.version, manifest.version)) return 'foreign';`,
        is: '',
      },
    ],
    caughtBy: { file: late, test: 'and older, requested because the changed rows had become too many' },
  },
  {
    name: 'segment request without limit',
    changes: [
      {
        file: 'app/collections/idle-timeout.ts',
        was: `if (!asking.signal.aborted) cancel = clock.setTimer(silenceMs, () => giveUp('nothing came'));`,
        is: '',
      },
    ],
    caughtBy: { file: late, test: 'is aborted, and the download goes on to its end' },
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
    name: 'leader epoch not raised',
    changes: [{ file: 'app/sync/leader.ts', was: '(holder?.epoch ?? 0) + 1', is: '(holder?.epoch ?? 1)' }],
    caughtBy: { file: edges, test: '[C6] each leader has an epoch of its own' },
  },
  {
    name: 'old leader not fenced',
    changes: [
      {
        file: 'app/sync/fence.ts',
        was: `if ((leader?.value as { epoch: number } | undefined)?.epoch !== fence.epoch) return 'deposed';`,
        is: '',
      },
    ],
    caughtBy: {
      file: 'app/sync/apply-answer.dom.test.ts',
      test: 'an answer from a leader that was deposed while it waited',
    },
  },
  {
    name: 'no fence where a request is packed',
    changes: [
      {
        file: 'app/sync/pack-request.ts',
        was: 'if ((leader?.value as { epoch: number } | undefined)?.epoch !== epoch) return undefined;',
        is: '',
      },
    ],
    caughtBy: {
      file: edges,
      test: '[C6][C7] a tab that no longer leads packs nothing: what waits is not marked as sent, and can still be cancelled',
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
    name: 'paging that survives a reset',
    changes: [
      {
        file: 'app/sync/classify-exchange.ts',
        was: `case 'reset':\n        progress.paging = undefined;`,
        is: `case 'reset':`,
      },
    ],
    caughtBy: { file: edges, test: '[P4][P6] a reset between two pages ends the paging' },
  },
  {
    name: 'wake during an exchange forgotten',
    changes: [
      {
        file: 'app/sync/engine.ts',
        was: `if (next.act === 'go-again' && state.phase === 'exchanging') state.goAgain = true;`,
        is: '',
      },
    ],
    caughtBy: { file: edges, test: '[C8] a poke that comes while it asks is not forgotten' },
  },
  {
    name: 'watchdog that never restarts the loop',
    changes: [
      {
        file: 'app/sync/engine.ts',
        was: 'if (asLeader.untried >= ticksToRestart) void restart(asLeader);',
        is: '',
      },
    ],
    caughtBy: { file: edges, test: '[C8][C13] the watchdog restarts the loop where a question hangs' },
  },
  {
    name: 'replay that stops at a rejection',
    changes: [
      {
        file: 'app/sync/replay.ts',
        was: 'if (!(error instanceof Rejection)) faults.push(uid);',
        is: 'if (error instanceof Rejection) break;\n      faults.push(uid);',
      },
    ],
    caughtBy: {
      file: edges,
      test: '[I5] a mutation that no longer applies does not hide the effects of those after it',
    },
  },
  {
    name: 'attach and photo state in two transactions',
    changes: [
      {
        file: 'app/photos/photo-upload-queue.ts',
        was: `changePhotos: [{ id, changes: { state: 'uploaded' } }],`,
        is: '',
      },
      {
        file: 'app/photos/photo-upload-queue.ts',
        was: `await ports.mutate('photo.attach',`,
        is: `await change(id, { state: 'uploaded' });\n      await ports.mutate('photo.attach',`,
      },
    ],
    caughtBy: {
      file: 'app/photos/photo-attach.dom.test.ts',
      test: 'killed the moment before its attach is in the outbox',
    },
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
        was: 'cookie === undefined || position.head !== head || ',
        is: 'cookie === undefined || ',
      },
    ],
    caughtBy: { file: memory, test: 'is not given from values cached at another head' },
  },
  {
    name: 'cut job of an alert over the whole one',
    changes: [
      {
        file: 'app/collections/keep-pushed-jobs.ts',
        was: 'isNewer(versions[at] ?? feed.version, here)',
        is: `versions[at] !== ''`,
      },
    ],
    caughtBy: {
      file: 'app/collections/keep-pushed-jobs.dom.test.ts',
      test: 'cut to fit a message, takes the place of none that is here whole',
    },
  },
];
