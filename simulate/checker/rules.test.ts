import { expect, test } from 'vitest';
import { c1SavedWhenComplete, i11OneLeader, i13OwnDatabase, i1DecidedOnce } from './invariants-at-commit.ts';
import { invariantsAlways, i12BytesKept } from './invariants-always.ts';
import { i9Collections } from './collections.ts';
import { i17Decided, i17Put, i17Sent, i17Stored, i17DeviceOwner } from './i17-apart.ts';
import { createHeads } from './i18-fresh.ts';
import { createMeaning } from './i19-meaning.ts';
import { i5Replay } from './i5-replay.ts';
import { invariantsAtEnd, onceHealed } from './invariants-at-end.ts';
import type { Backend } from '../world/backend.ts';
import { invariants } from './violation.ts';

test('each rule has a function of its name that asks for it', () => {
  const i18Fresh = createHeads({ onWrites: () => undefined } as unknown as Backend, () => 0).i18Fresh;
  const functions = [
    c1SavedWhenComplete,
    i1DecidedOnce,
    i11OneLeader,
    i13OwnDatabase,
    i12BytesKept,
    i17Sent,
    i17Decided,
    i17Put,
    i17Stored,
    i17DeviceOwner,
    i9Collections,
    i18Fresh,
    createMeaning({ locations: [], categories: [] }).i19Decided,
    i5Replay,
    ...invariantsAlways,
    ...onceHealed,
    ...invariantsAtEnd,
  ];
  const asked = new Set(functions.map(({ name }) => /^[ci]\d+/.exec(name)?.[0].toUpperCase()));
  expect(asked).toEqual(new Set(Object.keys(invariants)));
});
