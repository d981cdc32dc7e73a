import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeviceMark } from './device-mark.ts';
import { openSessionHarness, person, signedIn, until, type SessionHarness } from './testing/open-session-harness.ts';

let harness: SessionHarness;
beforeEach(async () => {
  harness = await openSessionHarness();
});
afterEach(() => harness.close());

describe('[C10] log-out', () => {
  test('wipes the storage, then tells the server, this session only [§4 start-up, §7]', async () => {
    const session = harness.open();
    await session.signIn('me@example.nz', 'right');
    await createDeviceMark(harness.db, person.userId).write();
    await session.signOut(person.userId);
    expect(harness.state.wiped).toEqual([person.userId]);
    expect(await harness.db.entries.toArray()).toEqual([]);
    expect(harness.server.calls.at(-1)).toBe('/logout?scope=local');
    await until(session.state, (state) => state.kind === 'signed-out');
  });

  test('leaves nothing of the account that the same address had here before a restore of the server', async () => {
    const former = { userId: 'a1a1ffff-0000-4000-8000-00000000000f', email: person.email };
    await harness.db.entries.put({ key: 'person', value: former });
    await createDeviceMark(harness.db, former.userId).write();
    const session = harness.open();
    await session.signIn('me@example.nz', 'right');
    await session.signOut(person.userId);
    expect(harness.state.wiped.toSorted()).toEqual([person.userId, former.userId]);
    expect(await harness.db.entries.toArray()).toEqual([]);
  });

  test('an account that comes back after all is not a former one of its own', async () => {
    const between = { userId: 'a1a1ffff-0000-4000-8000-00000000000f', email: person.email };
    await harness.db.entries.put({ key: 'person', value: between });
    await harness.db.entries.put({ key: `former:${between.userId}`, value: [person.userId] });
    await harness.open().signIn('me@example.nz', 'right');
    expect((await harness.db.entries.get(`former:${person.userId}`))?.value).toEqual([between.userId]);
  });

  test('leaves alone what another address has here', async () => {
    const session = harness.open();
    await session.signIn('other@example.nz', 'right');
    await session.signIn('me@example.nz', 'right');
    await session.signOut(person.userId);
    expect(harness.state.wiped).toEqual([person.userId]);
  });

  test('works without signal, also before the authentication client could ever be made', async () => {
    await harness.open().signIn('me@example.nz', 'right');
    const cold = harness.open({ openAuth: () => Promise.reject(new Error('no configuration')) });
    await cold.signOut(person.userId);
    expect(harness.state.wiped).toEqual([person.userId]);
    expect(await harness.db.entries.toArray()).toEqual([]);
  });

  test('that was cut short is finished at the next start', async () => {
    const first = harness.open({ wipeStorage: () => Promise.reject(new Error('killed')) });
    await first.signIn('me@example.nz', 'right');
    await expect(first.signOut(person.userId)).rejects.toThrow('killed');
    first.stop();
    const second = harness.open();
    await second.signIn('other@example.nz', 'right');
    expect(harness.state.wiped).toEqual([person.userId]);
    expect(await until(second.state, signedIn)).toMatchObject({ person: { email: 'b2b2@example.nz' } });
    expect(await harness.db.entries.where('key').startsWith('leaving').count()).toBe(0);
  });

  test('is finished also where an older app began it', async () => {
    await harness.db.entries.put({ key: 'leaving', value: person.userId });
    await harness.open().signIn('other@example.nz', 'right');
    expect(harness.state.wiped).toEqual([person.userId]);
    expect(await harness.db.entries.get('leaving')).toBeUndefined();
  });

  test('lets no person in while what was left could not be removed, so that the removal never hits later data', async () => {
    let mayGo = false;
    const session = harness.open({
      wipeStorage: async (userId) =>
        mayGo ? (harness.state.wiped.push(userId), 'gone') : Promise.reject(new Error('no')),
    });
    await session.signIn('me@example.nz', 'right');
    await expect(session.signOut(person.userId)).rejects.toThrow('no');
    await expect(session.signIn('me@example.nz', 'right')).rejects.toThrow('no');
    mayGo = true;
    await session.signIn('me@example.nz', 'right');
    expect(harness.state.wiped).toEqual([person.userId]);
  });

  test('that another tab held up is finished at the next start, unless its person is back', async () => {
    const first = harness.open({ wipeStorage: async () => 'held' });
    await first.signIn('me@example.nz', 'right');
    await first.signOut(person.userId);
    first.stop();
    const second = harness.open();
    await second.signIn('other@example.nz', 'right');
    expect(harness.state.wiped).toEqual([person.userId]);

    const third = harness.open({ wipeStorage: async () => 'held' });
    await third.signOut('b2b2b2b2-0000-4000-8000-000000000002');
    await third.signIn('other@example.nz', 'right');
    third.stop();
    harness.state.wiped = [];
    const fourth = harness.open();
    await fourth.signIn('other@example.nz', 'right');
    expect(harness.state.wiped).toEqual([]);
  });

  test('of which another page keeps the empty database open: the next person can sign in all the same, and it is removed later', async () => {
    let opens = false;
    const session = harness.open({
      wipeStorage: async (userId) => {
        if (harness.state.wiped.push(userId) === 1) return 'held';
        if (!opens) throw new Error('does not open');
        return 'gone';
      },
    });
    await session.signIn('me@example.nz', 'right');
    await session.signOut(person.userId);
    await session.signIn('other@example.nz', 'right');
    expect(await until(session.state, signedIn)).toMatchObject({ person: { email: 'b2b2@example.nz' } });
    opens = true;
    session.stop();
    await harness.open().signIn('other@example.nz', 'right');
    expect(harness.state.wiped).toEqual([person.userId, person.userId, person.userId]);
    expect(await harness.db.entries.where('key').startsWithAnyOf('leaving', 'emptied:').count()).toBe(0);
  });
});
