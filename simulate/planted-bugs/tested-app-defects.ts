import type { TestedDefect } from './defect.ts';

const [edges, late] = ['app/sync/edges.dom.test.ts', 'app/collections/late-answers.dom.test.ts'];

/** Bugs of the app. */
export const testedAppDefects: readonly TestedDefect[] = [
  {
    name: 'carried change applied at another cookie',
    changes: [
      {
        file: 'app/sync/exchange.ts',
        was: 'const fence = { epoch, cookie: asked.cookie };',
        is: 'const fence = { epoch, cookie: (cookie as string | undefined) ?? null };',
      },
      {
        file: 'app/sync/exchange.ts',
        was: 'cookie === asked.cookie ? await ports.collections.standingAt?.(versions, timelines, regions) : undefined;',
        is: 'cookie === undefined ? undefined : await ports.collections.asked();',
      },
    ],
    caughtBy: {
      file: 'app/sync/carried-changes.dom.test.ts',
      test: '[P10][C3] a change that starts elsewhere writes nothing, and the device asks',
    },
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
        was: `if (version !== null && typeof state.timeline === 'string') question.timelines[collection] = state.timeline;`,
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
        was: `if ((await fence?.isFenced()) === true) return 'fenced';`,
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
        was: 'if (!(error instanceof Rejection)) failedUids.push(uid);',
        is: 'if (error instanceof Rejection) break;\n      failedUids.push(uid);',
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
  {
    name: 'tap written over what another tab wrote meanwhile',
    changes: [{ file: 'app/db/note-commits.ts', was: 'if (before?.value !== at) reject(new Overtaken());', is: '' }],
    caughtBy: { file: 'app/sync/foresee.dom.test.ts', test: 'a tap in a tab that missed a commit of another' },
  },
  {
    name: 'long queue that can be cancelled while its request leaves',
    changes: [{ file: 'app/sync/outbox.ts', was: ' || (await isLeaving(db, entry.seq))', is: '' }],
    caughtBy: { file: 'app/sync/pack-request.dom.test.ts', test: 'a long queue counts as sent from one record on' },
  },
  {
    name: 'long queue that its answer leaves unmarked',
    changes: [{ file: 'app/sync/apply-answer.ts', was: 'if (sending !== undefined) await markBegun(db);', is: '' }],
    caughtBy: { file: 'app/sync/marked-as-sent.dom.test.ts', test: 'what the server did not decide of it counts as' },
  },
  {
    name: 'run of the journal of which only the first comes back',
    changes: [{ file: 'app/sync/journal.ts', was: '.flatMap(eachOf)', is: '' }],
    caughtBy: { file: 'app/sync/healing.dom.test.ts', test: 'all of it is given back in its order' },
  },
  {
    name: 'change of a list that is shown though it was never written',
    changes: [{ file: 'app/collections/collection-memory.ts', was: 'if (!isWritten) revert();', is: '' }],
    caughtBy: { file: 'app/collections/show-early.dom.test.ts', test: 'because another tab leads now, is taken back' },
  },
];
