import { afterEach, beforeEach, expect, test } from 'vitest';
import { wipeStorage } from '../db/wipe-storage.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import { systemClock } from '../db/clock.ts';
import { fakeSharedLocks } from '../testing/fake-shared-locks.ts';
import { isBackupOfAnother } from './outbox-backup.ts';
import { openBackupHarness, type BackupHarness } from './testing/open-backup-harness.ts';

let harness: BackupHarness;
let phone: Phone;
let caches: CacheStorage;
beforeEach(async () => {
  harness = await openBackupHarness();
  ({ phone, caches } = harness);
});
afterEach(() => harness.close());

test('[I17] at a log-out other people’s backups stay', () => {
  expect([
    isBackupOfAnother('dwang-person-spare-a', 'b'),
    isBackupOfAnother('dwang-person-spare-b', 'b'),
    isBackupOfAnother('dwang-person-photos', 'b'),
  ]).toEqual([true, false, false]);
});

/** As the log-out does it: `leaving` is set, the caches and records are deleted, `leaving` is cleared. */
async function logOutElsewhere(): Promise<void> {
  const { userId } = phone;
  await harness.device.entries.put({ key: `leaving:${userId}`, value: userId });
  await harness.device.entries.delete('person');
  await phone.kill();
  await phone.db.open();
  await wipeStorage({
    isWanted: async () => true,
    db: phone.db,
    clock: systemClock,
    locks: fakeSharedLocks(),
    caches,
    keepsCache: (name) => isBackupOfAnother(name, userId),
  });
  await harness.device.entries.delete(`leaving:${userId}`);
}

/** A tab that has seen a post and froze before it was idle, and how it thaws. */
async function freeze(): Promise<() => Promise<void>> {
  let idle = () => undefined as void;
  const backup = harness.openBackup((work) => (idle = work));
  const entries = await phone.db.outbox.toArray();
  backup.keep({ outbox: entries, rejected: [], photos: [] });
  return async () => {
    idle();
    await backup.stop();
  };
}

test('"Log out and lose them": a tab that slept through it does not bring the post back to be sent later', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  const thaw = await freeze();
  await logOutElsewhere();
  await thaw();
  expect(await caches.keys()).toEqual([]);
  await phone.reopen();
  expect(await harness.openBackup().restore()).toBe(0);
});

test('a log-out while the backup is written leaves no backup either', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  const thaw = await freeze();
  const { open } = caches;
  caches.open = async (name) => {
    caches.open = open;
    await logOutElsewhere();
    return open(name);
  };
  await thaw();
  expect(await caches.keys()).toEqual([]);
});

test.each(['leaving', 'emptied'] as const)('while %s is set for them, nothing of theirs is backed up', async (mark) => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.device.entries.put({ key: `${mark}:${phone.userId}`, value: phone.userId });
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(0);
});

test('[I17] the backup of a person who did not log out stays when another is here', async () => {
  await harness.openBackup().restore();
  harness.goOffline(phone);
  await postGate(phone, 'First');
  await harness.keep(harness.openBackup());
  await harness.device.entries.put({ key: 'person', value: { userId: makeTestId(), email: '' } });
  await postGate(phone, 'Second');
  await harness.keep(harness.openBackup());
  expect(await harness.kept()).toBe(1);
});
