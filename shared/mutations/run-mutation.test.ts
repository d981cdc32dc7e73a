import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { actorOf, type Actor } from '../actor.ts';
import type { Job, Tradie, User } from '../tables/index.ts';
import { makeInterest, makeJob, makeTestId, makeTradie, makeUser } from '../testing/make.ts';
import { emptyMemoryRows, memoryTx, type MemoryRows } from '../testing/memory-tx.ts';
import type { ArgsOf, MutationName } from './index.ts';
import type { KnownFiles } from './own-file.ts';
import { Rejection } from './rejection.ts';
import { objectionTo, runMutation, targetOf } from './run-mutation.ts';

const now = '2026-11-21T00:00:00.000Z';

let rows: MemoryRows;
let owner: User;
let tradie: Tradie;
let tradieUser: User;
let job: Job;

beforeEach(() => {
  rows = emptyMemoryRows();
  owner = makeUser();
  tradieUser = makeUser({ subscriptionStatus: 'active' });
  tradie = makeTradie({ userId: tradieUser.id });
  tradieUser.tradieId = tradie.id;
  job = makeJob({ userId: owner.id });
  rows.jobs.set(job.id, job);
  rows.tradies.set(tradie.id, tradie);
});

/** What storage says; undefined as on a device. */
let files: KnownFiles | undefined;
afterEach(() => void (files = undefined));

function run<Name extends MutationName>(as: User | Actor, name: Name, args: ArgsOf<Name>): Promise<void> {
  return runMutation(memoryTx(rows), name, args, { actor: actorOf(as), now, files });
}

async function rejection(attempt: Promise<void>): Promise<Rejection> {
  const thrown: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(Rejection);
  return thrown as Rejection;
}

const newJob = (changes: Partial<ArgsOf<'job.post'>> = {}): ArgsOf<'job.post'> => ({
  id: makeTestId(),
  title: '  Fix a gate  ',
  description: 'It sags.',
  locationId: 'southland/gore',
  urgency: 'slow',
  categoryId: 'fencer',
  ...changes,
});

describe('job.post', () => {
  test('makes an active job of the person’s own, trimmed, dated by the given clock', async () => {
    const args = newJob({ budgetMax: 250.5 });
    await run(owner, 'job.post', args);
    expect(rows.jobs.get(args.id)).toMatchObject({
      userId: owner.id,
      title: 'Fix a gate',
      status: 'active',
      budgetMax: 250.5,
      createdAt: now,
      images: [],
      interestCount: 0,
    });
  });

  test('again with the same id is applied once more, and changes nothing', async () => {
    const args = newJob();
    await run(owner, 'job.post', args);
    await run(owner, 'job.post', { ...args, title: 'Another' });
    expect(rows.jobs.get(args.id)?.title).toBe('Fix a gate');
  });

  test('an id that another person’s job has is rejected', async () => {
    expect((await rejection(run(tradieUser, 'job.post', newJob({ id: job.id })))).code).toBe('already-exists');
  });

  test('names every field that is wrong', async () => {
    const bad = newJob({ title: ' ', description: 'x'.repeat(5_001), budgetMax: 1.005, urgency: 'now' as 'slow' });
    const { code, fields } = await rejection(run(owner, 'job.post', bad));
    expect(code).toBe('invalid');
    expect(Object.keys(fields ?? {}).toSorted()).toEqual(['budgetMax', 'description', 'title', 'urgency']);
    expect(fields?.['title']).toBe('Title is required.');
    const { fields: unseen } = await rejection(
      run(owner, 'job.post', newJob({ title: '\u200b\u202e', description: '\u3164' })),
    );
    expect(unseen).toEqual({
      title: 'Title has only characters that can’t be seen.',
      description: 'Description has only characters that can’t be seen.',
    });
  });
});

describe('job.edit', () => {
  test('keeps what was changed elsewhere in other fields', async () => {
    rows.jobs.set(job.id, { ...job, description: 'Changed on the laptop' });
    await run(owner, 'job.edit', { id: job.id, set: { title: 'New title' }, base: { title: job.title } });
    expect(rows.jobs.get(job.id)).toMatchObject({ title: 'New title', description: 'Changed on the laptop' });
  });

  test('a field that changed meanwhile is stale, with its current value', async () => {
    rows.jobs.set(job.id, { ...job, title: 'From the laptop' });
    const edit = run(owner, 'job.edit', { id: job.id, set: { title: 'From the phone' }, base: { title: job.title } });
    expect(await rejection(edit)).toMatchObject({ code: 'stale', fields: { title: '"From the laptop"' } });
  });

  test('the same change made twice is no conflict', async () => {
    rows.jobs.set(job.id, { ...job, title: 'Same' });
    await run(owner, 'job.edit', { id: job.id, set: { title: 'Same' }, base: { title: job.title } });
  });

  test('a closed job cannot be edited', async () => {
    rows.jobs.set(job.id, { ...job, status: 'closed' });
    expect((await rejection(run(owner, 'job.edit', { id: job.id, set: { title: 'x' }, base: {} }))).code).toBe(
      'job-closed',
    );
  });
});

test('job.close closes once; closing again is applied', async () => {
  await run(owner, 'job.close', { id: job.id });
  expect(rows.jobs.get(job.id)).toMatchObject({ status: 'closed', closedAt: now });
  await run({ ...owner }, 'job.close', { id: job.id });
});

describe('another person’s row and a missing row are rejected alike', () => {
  test.each(['job.edit', 'job.close', 'photo.attach', 'photo.remove'] as const)('%s', async (name) => {
    const url = `job-photos/${job.id}/1-a.jpg`;
    const args = (id: string) => ({
      id: name === 'photo.attach' ? makeTestId() : id,
      jobId: id,
      url,
      set: {},
      base: {},
    });
    const foreign = await rejection(run(tradieUser, name, args(job.id)));
    const absent = await rejection(run(tradieUser, name, args(makeTestId())));
    expect([foreign.code, foreign.message]).toEqual([absent.code, absent.message]);
    expect(foreign.code).toBe('not-found');
  });
});

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
    expect((await rejection(attach(url()))).code).toBe('foreign-photo');
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
      expect((await rejection(attach(url))).code).toBe('foreign-photo');
    expect((await rejection(attach(own('lost.jpg')))).code).toBe('file-missing');
    expect(images()).toEqual(shown);
    await run(owner, 'photo.remove', {
      id: job.id,
      url: `http://old.example/job-photos/${old('3.jpg').slice('job-photos/'.length)}`,
    });
    expect(images()).toEqual(shown.slice(0, 2));
  });

  test('rejects a sixth', async () => {
    for (const at of [1, 2, 3, 4, 5]) await attach(own(`${at}-a.jpg`));
    expect((await rejection(attach(own('6-a.jpg')))).code).toBe('too-many-photos');
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

describe('interest.express', () => {
  const express = (as: User, note?: string) =>
    run(as, 'interest.express', { id: makeTestId(), jobId: job.id, ...(note === undefined ? {} : { note }) });

  test('tells the owner who, and counts', async () => {
    await express(tradieUser, ' Thursday? ');
    expect([...rows.interests.values()]).toMatchObject([
      {
        jobId: job.id,
        tradieId: tradie.id,
        userId: tradieUser.id,
        ownerId: owner.id,
        note: 'Thursday?',
        createdAt: now,
      },
    ]);
    expect(rows.jobs.get(job.id)?.interestCount).toBe(1);
  });

  test('a second time is applied and counts nothing, also when the job has closed', async () => {
    await express(tradieUser);
    await express(tradieUser);
    rows.jobs.set(job.id, { ...rows.jobs.get(job.id)!, status: 'closed' });
    await express(tradieUser);
    expect(rows.interests.size).toBe(1);
    expect(rows.jobs.get(job.id)?.interestCount).toBe(1);
  });

  test('a closed job answers with words for the tradie', async () => {
    rows.jobs.set(job.id, { ...job, status: 'closed' });
    expect(await rejection(express(tradieUser))).toMatchObject({
      code: 'job-closed',
      message: 'This job closed before your interest was sent.',
    });
  });

  test.each([
    ['past due', { subscriptionStatus: 'past_due' }],
    ['past its valid-until', { subscriptionValidUntil: '2026-11-20T23:59:59.000Z' }],
  ])('a subscription that is %s is refused', async (_what, changes) => {
    expect((await rejection(express({ ...tradieUser, ...changes }))).code).toBe('subscription-required');
  });

  test('a homeowner, and a tradie on their own job, may not', async () => {
    expect((await rejection(express(makeUser()))).code).toBe('not-found');
    rows.jobs.set(job.id, { ...job, userId: tradieUser.id });
    expect((await rejection(express(tradieUser))).code).toBe('not-found');
  });
});

test('interest.tick is the owner’s alone', async () => {
  const interest = makeInterest({ jobId: job.id, ownerId: owner.id, userId: tradieUser.id });
  rows.interests.set(interest.id, interest);
  await run(owner, 'interest.tick', { id: interest.id, contacted: true });
  expect(rows.interests.get(interest.id)?.contactedAt).toBe(now);
  expect((await rejection(run(tradieUser, 'interest.tick', { id: interest.id, contacted: false }))).code).toBe(
    'not-found',
  );
});

test('profile.edit keeps a phone in E.164 and rejects one that is not from here', async () => {
  const set = { contactPhone: '027 123 4567' };
  await run(tradieUser, 'profile.edit', { id: tradie.id, set, base: { contactPhone: tradie.contactPhone } });
  expect(rows.tradies.get(tradie.id)?.contactPhone).toBe('+64271234567');
  const foreign = run(tradieUser, 'profile.edit', {
    id: tradie.id,
    set: { contactPhone: '+61 412 345 678' },
    base: {},
  });
  expect((await rejection(foreign)).fields).toEqual({ contactPhone: 'Please enter a valid New Zealand phone number' });
});

test('an undefined name is rejected, inherited ones too', async () => {
  for (const name of ['job.reopen', 'toString', '__proto__']) {
    expect((await rejection(run(owner, name as 'job.close', { id: job.id }))).code).toBe('unknown-mutation');
  }
});

test('targetOf names the row before anything is loaded', () => {
  expect(targetOf('job.close', { id: job.id })).toEqual({ table: 'jobs', id: job.id });
  expect(targetOf('interest.express', { id: makeTestId(), jobId: job.id })).toEqual({ table: 'jobs', id: job.id });
  expect(targetOf('job.post', newJob())).toBeUndefined();
  expect(targetOf('job.close', { id: 'not an id' })).toBeUndefined();
});

test('objectionTo() says why a control is not offered, or nothing', () => {
  const question = { actor: actorOf(tradieUser), row: job, now };
  expect(objectionTo('interest.express', question)).toBeUndefined();
  expect(objectionTo('interest.express', { ...question, row: { status: 'active' } })).toBeUndefined();
  expect(objectionTo('interest.express', { ...question, row: { status: 'closed' } })?.code).toBe('job-closed');
  expect(objectionTo('job.close', question)?.code).toBe('not-found');
  expect(objectionTo('job.close', { ...question, actor: actorOf(owner) })).toBeUndefined();
  expect(
    objectionTo('job.close', { ...question, actor: actorOf(owner), row: { userId: owner.id, status: 'closed' } })?.code,
  ).toBe('job-closed');
  expect(objectionTo('job.close', { ...question, actor: actorOf(owner), row: undefined })?.code).toBe('not-found');
  expect(objectionTo('job.post', { ...question, row: undefined })).toBeUndefined();
  expect(objectionTo('job.reopen' as MutationName, question)?.code).toBe('unknown-mutation');
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
    expect(await rejection(set(logo))).toMatchObject({
      code: 'foreign-photo',
      fields: { logo: expect.any(String) as string },
    });
  }
  expect(await rejection(set(lost))).toMatchObject({ code: 'file-missing' });
  // What stood there when they began is named by an address of that day.
  await set('', `http://localhost:8080/storage/v1/object/public/${mine}`);
  expect(kept()).toBe('');
});
