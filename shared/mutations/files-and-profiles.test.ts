import { beforeEach, expect, test } from 'vitest';
import { actorOf } from '../actor.ts';
import type { Tradie, User } from '../tables/index.ts';
import { makeInterest, makeJob, makeTestId, makeTradie, makeUser } from '../testing/make.ts';
import { emptyMemoryRows, memoryTx, type MemoryRows } from '../testing/memory-tx.ts';
import type { ArgsOf, MutationName } from './index.ts';
import { filesOf, runMutation } from './run-mutation.ts';

const now = '2026-11-21T00:00:00.000Z';
const earlier = '2026-11-01T00:00:00.000Z';

let rows: MemoryRows;
let person: User;
let tradie: Tradie;

beforeEach(() => {
  rows = emptyMemoryRows();
  person = makeUser();
  tradie = makeTradie({ userId: person.id, businessName: 'Gates Ltd', isVerified: true, description: 'Gates.' });
  rows.tradies.set(tradie.id, tradie);
});

const run = <Name extends MutationName>(as: User, name: Name, args: ArgsOf<Name>, at = now) =>
  runMutation(memoryTx(rows), name, args, { actor: actorOf(as), now: at });

const edit = (set: ArgsOf<'profile.edit'>['set'], base: Record<string, unknown> = { ...tradie }, as = person) =>
  run(as, 'profile.edit', { id: tradie.id, set, base });

test('the files that storage is asked about: those a mutation names, by bucket and path, and none else', () => {
  const [id, jobId] = [makeTestId(), makeTestId()];
  const photo = `job-photos/${jobId}/1-gate.png`;
  expect(
    filesOf('photo.attach', { id, jobId, url: `https://files.example.nz/storage/v1/object/public/${photo}` }),
  ).toEqual([photo]);
  expect(filesOf('photo.remove', { id: jobId, url: photo })).toEqual([photo]);
  expect(filesOf('photo.remove', { id: jobId, url: 'https://elsewhere.example/1.png' })).toEqual([]);
  expect(filesOf('photo.attach', { id: 'not an id', jobId, url: photo })).toEqual([]);
  const logo = 'tradie-logos/f1/1-logo.png';
  expect(filesOf('profile.edit', { id, set: { logo }, base: {} })).toEqual([logo]);
  expect(filesOf('profile.edit', { id, set: { description: 'No logo.' }, base: {} })).toEqual([]);
  expect(filesOf('job.close', { id })).toEqual([]);
  expect(filesOf('toString', { id })).toEqual([]);
});

test('a renamed business loses the badge until it is checked again; any other change, and the same name, keep it', async () => {
  await edit({ description: 'Gates and fences.' });
  await edit({ businessName: 'Gates Ltd', contactPersonFirstName: 'Ana' });
  expect(rows.tradies.get(tradie.id)).toMatchObject({
    isVerified: true,
    description: 'Gates and fences.',
    contactPersonFirstName: 'Ana',
  });
  await edit({ businessName: 'Gate Kings' });
  expect(rows.tradies.get(tradie.id)).toMatchObject({ isVerified: false, businessName: 'Gate Kings' });
});

test('a new name with a web address or marks of HTML is refused at its field; one that stands already is not judged', async () => {
  const message = expect.stringContaining('address') as string;
  await expect(edit({ businessName: 'Dwang Support evil.example/pay' })).rejects.toMatchObject({
    code: 'invalid',
    message,
    fields: { businessName: message },
  });
  await expect(edit({ businessName: 'Gates <b>' })).rejects.toMatchObject({
    fields: { businessName: message },
  });
  expect(rows.tradies.get(tradie.id)?.businessName).toBe('Gates Ltd');
  const old = { ...tradie, businessName: 'gates.co.nz' };
  rows.tradies.set(tradie.id, old);
  await edit({ businessName: 'gates.co.nz', description: 'Gates and fences.' }, { ...old });
  expect(rows.tradies.get(tradie.id)).toMatchObject({ businessName: 'gates.co.nz', description: 'Gates and fences.' });
});

test('a profile is its own person’s, and a field that changed elsewhere is stale', async () => {
  await expect(edit({ description: 'Mine now.' }, {}, makeUser())).rejects.toMatchObject({ code: 'not-found' });
  await expect(
    edit({ description: 'From the phone.' }, { description: 'What stood there before.' }),
  ).rejects.toMatchObject({
    code: 'stale',
    fields: { description: '"Gates."' },
  });
  expect(rows.tradies.get(tradie.id)?.description).toBe('Gates.');
});

test('a logo that the profile has already is no new claim, whichever address it is named by', async () => {
  const logo = 'tradie-logos/f1/1-logo.png';
  rows.tradies.set(tradie.id, { ...tradie, logo: `https://old.example/storage/v1/object/public/${logo}` });
  await edit({ logo, description: 'With its old logo.' }, { ...tradie, logo });
  expect(rows.tradies.get(tradie.id)).toMatchObject({ description: 'With its old logo.' });
});

test('what is done twice is dated by the first time: a closed job, a tick', async () => {
  const job = makeJob({ userId: person.id });
  const interest = makeInterest({ jobId: job.id, ownerId: person.id });
  rows.jobs.set(job.id, job);
  rows.interests.set(interest.id, interest);
  await run(person, 'job.close', { id: job.id }, earlier);
  await run(person, 'job.close', { id: job.id });
  expect(rows.jobs.get(job.id)).toMatchObject({ status: 'closed', closedAt: earlier });
  await run(person, 'interest.tick', { id: interest.id, contacted: true }, earlier);
  await run(person, 'interest.tick', { id: interest.id, contacted: true });
  expect(rows.interests.get(interest.id)?.contactedAt).toBe(earlier);
  await run(person, 'interest.tick', { id: interest.id, contacted: false });
  expect(rows.interests.get(interest.id)?.contactedAt).toBeNull();
});

test('a closed job’s photos stay as they are', async () => {
  const photo = 'job-photos/x/1.png';
  const job = makeJob({ userId: person.id, status: 'closed', images: [photo] });
  rows.jobs.set(job.id, job);
  await expect(run(person, 'photo.remove', { id: job.id, url: photo })).rejects.toMatchObject({ code: 'job-closed' });
  const attach = run(person, 'photo.attach', { id: makeTestId(), jobId: job.id, url: `job-photos/${job.id}/2.png` });
  await expect(attach).rejects.toMatchObject({ code: 'job-closed' });
  expect(rows.jobs.get(job.id)?.images).toEqual([photo]);
});
