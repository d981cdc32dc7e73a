import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actorOf, type Actor } from '../actor.ts';
import type { Job, Tradie, User } from '../tables/index.ts';
import { makeTestId } from '../testing/make.ts';
import { makeMarket, rejectionOf } from '../testing/make-market.ts';
import { memoryTx, type MemoryRows } from '../testing/memory-tx.ts';
import type { ArgsOf, MutationName } from './index.ts';
import type { KnownFiles } from './own-file.ts';
import { runMutation } from './run-mutation.ts';

const now = '2026-11-21T00:00:00.000Z';

let rows: MemoryRows;
let owner: User;
let tradie: Tradie;
let tradieUser: User;
let job: Job;

beforeEach(() => {
  ({ rows, owner, tradie, tradieUser, job } = makeMarket());
});

/** What storage says; undefined as on a device. */
let files: KnownFiles | undefined;
afterEach(() => void (files = undefined));

function run<Name extends MutationName>(as: User | Actor, name: Name, args: ArgsOf<Name>): Promise<void> {
  return runMutation(memoryTx(rows), name, args, { actor: actorOf(as), now, files });
}

describe('photo.attach', () => {
  const attach = (url: string) => run(owner, 'photo.attach', { id: makeTestId(), jobId: job.id, url });
  const images = () => rows.jobs.get(job.id)?.images;
  const own = (name: string) => `job-photos/${job.id}/${name}`;
  const here = 'http://192.168.1.20:4100/storage/v1/object/public/';
  const old = (name: string) => `job-photos/${owner.id}/${job.id}/${name}`;

  test('adds a photo at the end, once, whichever address it is named by', async () => {
    await attach(own('1-a.jpg'));
    await attach(`https://dwang.nz/storage/v1/object/public/${own('2-b.jpg')}`);
    for (const again of [own('1-a.jpg'), here + own('1-a.jpg'), here + own('2-b.jpg')]) await attach(again);
    expect(images()).toEqual([own('1-a.jpg'), own('2-b.jpg')]);
  });

  test.each([
    ['another site', () => 'https://evil.example/1-a.jpg'],
    ['another job’s folder', () => `job-photos/${makeTestId()}/1-a.jpg`],
    ['somebody else’s folder', () => `job-photos/${makeTestId()}/${job.id}/1-a.jpg`],
    ['another bucket', () => `tradie-logos/${job.id}/1-a.jpg`],
    ['a path that climbs', () => own('../../1-a.jpg')],
    ['a path that climbs, written otherwise', () => here + own('%2e%2e/1-a.jpg')],
    ['a query', () => here + own('1-a.jpg?x=1')],
    ['a plain name, of which a device knows nothing', () => 'job-photos/1-a.jpg'],
  ])('refuses %s', async (_what, url) => {
    expect((await rejectionOf(attach(url()))).code).toBe('foreign-photo');
  });

  test('where storage can be asked, only who put a file there may show it', async () => {
    files = new Map([
      [own('mine.jpg'), { ownerId: owner.id, ref: own('mine.jpg') }],
      [own('theirs.jpg'), { ownerId: tradieUser.id, ref: own('theirs.jpg') }],
      [own('lost.jpg'), null],
      ['job-photos/1763700000000-roof (1).jpg', { ownerId: owner.id, ref: 'job-photos/1763700000000-roof (1).jpg' }],
      ['job-photos/2.jpg', { ownerId: tradieUser.id, ref: 'job-photos/2.jpg' }],
      [old('3.jpg'), { ownerId: owner.id, ref: own('3.jpg') }],
    ]);
    await attach(own('mine.jpg'));
    await attach(`${here}job-photos/1763700000000-roof%20(1).jpg`);
    await attach(`https://dwang.nz/storage/v1/object/public/${old('3.jpg')}`);
    const shown = [own('mine.jpg'), 'job-photos/1763700000000-roof (1).jpg', own('3.jpg')];
    expect(images()).toEqual(shown);
    for (const url of [own('theirs.jpg'), 'job-photos/2.jpg'])
      expect((await rejectionOf(attach(url))).code).toBe('foreign-photo');
    expect((await rejectionOf(attach(own('lost.jpg')))).code).toBe('file-missing');
    expect(images()).toEqual(shown);
    await run(owner, 'photo.remove', {
      id: job.id,
      url: `http://old.example/job-photos/${old('3.jpg').slice('job-photos/'.length)}`,
    });
    expect(images()).toEqual(shown.slice(0, 2));
  });

  test('rejects a sixth [§3, §9]', async () => {
    for (const at of [1, 2, 3, 4, 5]) await attach(own(`${at}-a.jpg`));
    expect((await rejectionOf(attach(own('6-a.jpg')))).code).toBe('too-many-photos');
  });
});

test('photo.remove takes one photo away, also one that an earlier version kept by its whole address; a photo that is not there is applied', async () => {
  const url = `https://files.example.nz/storage/v1/object/public/job-photos/${owner.id}/${job.id}/1-a.jpg`;
  rows.jobs.set(job.id, { ...job, images: [url, `job-photos/${job.id}/2.jpg`] });
  await run(owner, 'photo.remove', { id: job.id, url });
  await run(owner, 'photo.remove', { id: job.id, url });
  await run(owner, 'photo.remove', {
    id: job.id,
    url: `http://localhost:9000/storage/v1/object/public/job-photos/${job.id}/2.jpg`,
  });
  expect(rows.jobs.get(job.id)?.images).toEqual([]);
});

test('profile.edit takes a logo that the person put into storage, by whichever address, or none', async () => {
  const [mine, theirs, lost] = [
    'tradie-logos/f1/1-logo.png',
    'tradie-logos/f2/1-logo.png',
    'tradie-logos/f3/1-logo.png',
  ];
  const set = (logo: string, base = rows.tradies.get(tradie.id)?.logo) =>
    run(tradieUser, 'profile.edit', { id: tradie.id, set: { logo }, base: { logo: base } });
  const kept = () => rows.tradies.get(tradie.id)?.logo;
  files = new Map([
    [mine, { ownerId: tradieUser.id, ref: mine }],
    [theirs, { ownerId: owner.id, ref: theirs }],
    [lost, null],
  ]);
  await set(`https://files.example.nz/storage/v1/object/public/${mine}`);
  expect(kept()).toBe(mine);
  for (const logo of [
    'https://evil.example/a.png',
    'javascript:alert(1)',
    theirs,
    'tradie-logos/f1/../f2/1.png',
    `https://x.nz/${mine}?x=1`,
    'job-photos/f1/1-logo.png',
  ]) {
    expect(await rejectionOf(set(logo))).toMatchObject({
      code: 'foreign-photo',
      fields: { logo: expect.any(String) as string },
    });
  }
  expect(await rejectionOf(set(lost))).toMatchObject({ code: 'file-missing' });
  // What stood there when they began is named by an address of that day.
  await set('', `http://localhost:8080/storage/v1/object/public/${mine}`);
  expect(kept()).toBe('');
});
