import { beforeEach, describe, expect, test } from 'vitest';
import { actorOf, type Actor } from '../actor.ts';
import type { Job, Tradie, User } from '../tables/index.ts';
import { makeInterest, makeTestId, makeUser } from '../testing/make.ts';
import { makeMarket, rejectionOf } from '../testing/make-market.ts';
import { memoryTx, type MemoryRows } from '../testing/memory-tx.ts';
import type { ArgsOf, MutationName } from './index.ts';
import { objectionTo, runMutation, targetOf } from './run-mutation.ts';

const now = '2026-11-21T00:00:00.000Z';

let rows: MemoryRows;
let owner: User;
let tradie: Tradie;
let tradieUser: User;
let job: Job;

beforeEach(() => {
  ({ rows, owner, tradie, tradieUser, job } = makeMarket());
});

function run<Name extends MutationName>(as: User | Actor, name: Name, args: ArgsOf<Name>): Promise<void> {
  return runMutation(memoryTx(rows), name, args, { actor: actorOf(as), now });
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
    expect((await rejectionOf(run(tradieUser, 'job.post', newJob({ id: job.id })))).code).toBe('already-exists');
  });

  test('names every field that is wrong', async () => {
    const bad = newJob({ title: ' ', description: 'x'.repeat(5_001), budgetMax: 1.005, urgency: 'now' as 'slow' });
    const { code, fields } = await rejectionOf(run(owner, 'job.post', bad));
    expect(code).toBe('invalid');
    expect(Object.keys(fields ?? {}).toSorted()).toEqual(['budgetMax', 'description', 'title', 'urgency']);
    expect(fields?.['title']).toBe('Title is required.');
    const { fields: unseen } = await rejectionOf(
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
    expect(await rejectionOf(edit)).toMatchObject({ code: 'stale', fields: { title: '"From the laptop"' } });
  });

  test('the same change made twice is no conflict', async () => {
    rows.jobs.set(job.id, { ...job, title: 'Same' });
    const again = run(owner, 'job.edit', { id: job.id, set: { title: 'Same' }, base: { title: job.title } });
    await expect(again).resolves.toBeUndefined();
    expect(rows.jobs.get(job.id)?.title).toBe('Same');
  });

  test('a closed job cannot be edited [§4 job]', async () => {
    rows.jobs.set(job.id, { ...job, status: 'closed' });
    expect((await rejectionOf(run(owner, 'job.edit', { id: job.id, set: { title: 'x' }, base: {} }))).code).toBe(
      'job-closed',
    );
  });
});

test('job.close closes once; closing again is applied [§4 job]', async () => {
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
    const foreign = await rejectionOf(run(tradieUser, name, args(job.id)));
    const absent = await rejectionOf(run(tradieUser, name, args(makeTestId())));
    expect([foreign.code, foreign.message]).toEqual([absent.code, absent.message]);
    expect(foreign.code).toBe('not-found');
  });
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

  test('a second time is applied and counts nothing, also when the job has closed [§4 job]', async () => {
    await express(tradieUser);
    await express(tradieUser);
    rows.jobs.set(job.id, { ...rows.jobs.get(job.id)!, status: 'closed' });
    await express(tradieUser);
    expect(rows.interests.size).toBe(1);
    expect(rows.jobs.get(job.id)?.interestCount).toBe(1);
  });

  test('a closed job answers with words for the tradie [§4 job]', async () => {
    rows.jobs.set(job.id, { ...job, status: 'closed' });
    expect(await rejectionOf(express(tradieUser))).toMatchObject({
      code: 'job-closed',
      message: 'This job closed before your interest was sent.',
    });
  });

  test.each([
    ['past due', { subscriptionStatus: 'past_due' }],
    ['past its valid-until', { subscriptionValidUntil: '2026-11-20T23:59:59.000Z' }],
  ])('a subscription that is %s is refused', async (_what, changes) => {
    expect((await rejectionOf(express({ ...tradieUser, ...changes }))).code).toBe('subscription-required');
  });

  test('a homeowner, and a tradie on their own job, may not [§6]', async () => {
    expect((await rejectionOf(express(makeUser()))).code).toBe('not-found');
    rows.jobs.set(job.id, { ...job, userId: tradieUser.id });
    expect((await rejectionOf(express(tradieUser))).code).toBe('not-found');
  });
});

test('interest.tick is the owner’s alone', async () => {
  const interest = makeInterest({ jobId: job.id, ownerId: owner.id, userId: tradieUser.id });
  rows.interests.set(interest.id, interest);
  await run(owner, 'interest.tick', { id: interest.id, contacted: true });
  expect(rows.interests.get(interest.id)?.contactedAt).toBe(now);
  expect((await rejectionOf(run(tradieUser, 'interest.tick', { id: interest.id, contacted: false }))).code).toBe(
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
  expect((await rejectionOf(foreign)).fields).toEqual({
    contactPhone: 'Please enter a valid New Zealand phone number',
  });
});

test('an undefined name is rejected, inherited ones too [§settled]', async () => {
  for (const name of ['job.reopen', 'toString', '__proto__']) {
    expect((await rejectionOf(run(owner, name as 'job.close', { id: job.id }))).code).toBe('unknown-mutation');
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
