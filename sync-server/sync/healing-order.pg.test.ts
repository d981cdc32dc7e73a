import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hour } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import type { Delta, SentMutation } from '../../shared/protocol/exchange.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { Database } from '../db/database.ts';
import { startNewTimeline } from '../db/new-timeline.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { copyDatabase, type DatabaseCopy } from '../testing/copy-database.ts';
import { openSyncHarness, post, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { restoreWait } from './restoring.ts';

/*
 * In which order what devices send again to a restored database comes into effect, where a picture or another phone is
 * late. Storage is a list of names here; the real one loses its files in e2e/restore.spec.ts.
 */

let harness: SyncHarness;
let owner: User;
let backup: DatabaseCopy | undefined;
let restored: Database | undefined;
/** Files that storage has, and whose they are. */
let files: Map<string, string>;
beforeEach(async () => {
  harness = await openSyncHarness('postgres');
  owner = await harness.homeowner();
  files = new Map();
});
afterEach(async () => {
  await backup?.discard();
  backup = undefined;
  restored = undefined;
  await harness.close();
});

const over = (db: Database): Exchange =>
  createExchange({
    ...harness.parts,
    store: createSqlStore(db, async (_sql, refs) => {
      const found = refs.map((ref) => [ref, files.get(ref)] as const);
      return new Map(found.map(([ref, ownerId]) => [ref, ownerId === undefined ? null : { ref, ownerId }]));
    }),
  });

/** Restores what was there before `meanwhile`, which ends with the mutations as phones send them again. */
async function restoreAfter<Made>(
  meanwhile: (ask: (user: User, mutations: SentMutation[]) => Promise<SentMutation[]>) => Promise<Made>,
): Promise<{ made: Made; ask: (user: User, mutations: SentMutation[]) => Promise<Delta> }> {
  const askOf = (exchange: Exchange) => async (user: User, mutations: SentMutation[]) => {
    const answer = await harness.ask(user, { journal: [], mutations }, exchange);
    if (answer.kind !== 'delta') throw new Error(`a ${answer.kind}`);
    return answer;
  };
  backup = await copyDatabase(harness.db);
  const first = askOf(over(harness.db));
  const made = await meanwhile(async (user, mutations) => {
    const answer = await first(user, mutations);
    expect(answer.outcomes.map(({ status }) => status)).toEqual(mutations.map(() => 'applied'));
    const { timeline, version } = must(answer.journal, 'journal');
    return mutations.map((mutation) => ({ ...mutation, from: { timeline, version } }));
  });
  restored = await backup.open();
  await startNewTimeline(restored.sql);
  await restored.sql.updateTable('sync_timeline').set({ began_at: harness.now() }).execute();
  harness.pass(1_000);
  return { made, ask: askOf(over(restored)) };
}

/** The same, after an interest in a job and then its closing. */
const restoreAfterClosing = ({ id }: Job, tradie: User) =>
  restoreAfter(async (first) => ({
    interest: await first(tradie, [sent('interest.express', { id: makeTestId(), jobId: id })]),
    close: await first(owner, [sent('job.close', { id })]),
  }));

const jobAfter = (answer: Delta, id: string) => (answer.puts.jobs as Job[]).find((job) => job.id === id);
const codes = ({ outcomes }: Delta) => outcomes.map(({ code, status }) => code ?? status);
const waits = ({ restoring = [] }: Delta) => restoring.map(({ uid }) => uid);

const uploaded = (ref: string, by: User) => {
  files.set(ref, by.id);
  return ref;
};
function attach(jobId: string, name: string) {
  const url = uploaded(`job-photos/${jobId}/${name}.jpg`, owner);
  return { url, mutation: sent('photo.attach', { id: makeTestId(), jobId, url }) };
}

it('[S13][I2] a photo that was taken off its job does not come back to it, though storage gets it later than the rest', async () => {
  const job = post();
  const { url, mutation } = attach(job.args.id, 'red');
  const { made, ask } = await restoreAfter(async (first) => [
    ...(await first(owner, [job])),
    ...(await first(owner, [mutation])),
    ...(await first(owner, [sent('photo.remove', { id: job.args.id, url })])),
  ]);
  files.clear();
  const [posted, attached, removed] = made as [SentMutation, SentMutation, SentMutation];
  const early = await ask(owner, [posted, attached, removed]);
  expect(waits(early)).toEqual([attached.uid, removed.uid]);
  uploaded(url, owner);
  const late = await ask(owner, [attached, removed]);
  expect(codes(late)).toEqual(['applied', 'applied']);
  expect(jobAfter(late, job.args.id)?.images).toEqual([]);
});

it('[S13][I2] a tradie’s second logo, and the name saved with it, come back after the first one, whose file comes later', async () => {
  const { user, tradie } = await harness.tradie();
  const [one, two] = ['one', 'two'].map((name) => uploaded(`tradie-logos/${makeTestId()}/${name}.webp`, user)) as [
    string,
    string,
  ];
  const edit = (set: object, base: object) => sent('profile.edit', { id: tradie.id, set, base });
  const { made, ask } = await restoreAfter(async (first) => [
    ...(await first(user, [edit({ logo: one }, { logo: tradie.logo })])),
    ...(await first(user, [
      edit({ logo: two, businessName: 'Roofs Two' }, { logo: one, businessName: tradie.businessName }),
    ])),
  ]);
  files.clear();
  const early = await ask(user, made);
  expect([codes(early), waits(early)]).toEqual([[], made.map(({ uid }) => uid)]);
  uploaded(one, user);
  uploaded(two, user);
  expect(codes(await ask(user, made))).toEqual(['applied', 'applied']);
});

it('[S13] a logo that is chosen while an earlier one still waits for its file waits behind it, and is not “changed on another device”', async () => {
  const { user, tradie } = await harness.tradie();
  const [one, two] = ['one', 'two'].map((name) => uploaded(`tradie-logos/${makeTestId()}/${name}.webp`, user)) as [
    string,
    string,
  ];
  const { made, ask } = await restoreAfter((first) =>
    first(user, [sent('profile.edit', { id: tradie.id, set: { logo: one }, base: { logo: tradie.logo } })]),
  );
  const next = sent('profile.edit', { id: tradie.id, set: { logo: two }, base: { logo: one } });
  files.delete(one);
  const early = await ask(user, [...made, next]);
  expect([codes(early), waits(early)]).toEqual([[], [made[0]?.uid, next.uid]]);
  uploaded(one, user);
  expect(codes(await ask(user, [...made, next]))).toEqual(['applied', 'applied']);
});

it('[S13] a logo that has left its phone is refused at once, and says to choose it again; the next one, and the name saved with it, come back', async () => {
  const { user, tradie } = await harness.tradie();
  const [one, two] = ['one', 'two'].map((name) => uploaded(`tradie-logos/${makeTestId()}/${name}.webp`, user)) as [
    string,
    string,
  ];
  const { made, ask } = await restoreAfter((first) =>
    first(user, [sent('profile.edit', { id: tradie.id, set: { logo: one }, base: { logo: tradie.logo } })]),
  );
  const gone = made.map((mutation) => ({
    ...mutation,
    from: { ...must(mutation.from, 'from'), fileGone: true as const },
  }));
  const next = sent('profile.edit', {
    id: tradie.id,
    set: { logo: two, businessName: 'Roofs Two' },
    base: { logo: tradie.logo, businessName: tradie.businessName },
  });
  files.delete(one);
  const answer = await ask(user, [next, ...gone]);
  expect(waits(answer)).toEqual([]);
  expect(new Map(answer.outcomes.map(({ uid, status, message }) => [uid, message ?? status]))).toEqual(
    new Map([
      [next.uid, 'applied'],
      [gone[0]?.uid, 'Dwang was put back to an earlier copy, and this picture was lost. Choose it again.'],
    ]),
  );
});

it('[S13] a person’s later phone is not told “changed on another device” before their earlier one has come', async () => {
  const job = await harness.job(owner, { title: 'Fix the gate' });
  const edit = (title: string, from: string) => sent('job.edit', { id: job.id, set: { title }, base: { title: from } });
  const { made, ask } = await restoreAfter(async (first) => [
    ...(await first(owner, [edit('Fix both gates', 'Fix the gate')])),
    ...(await first(owner, [edit('Fix three gates', 'Fix both gates')])),
  ]);
  const [earlier, later] = made as [SentMutation, SentMutation];
  expect(waits(await ask(owner, [later]))).toEqual([later.uid]);
  await ask(owner, [earlier]);
  const last = await ask(owner, [later]);
  expect([codes(last), jobAfter(last, job.id)?.title]).toEqual([['applied'], 'Fix three gates']);
});

it('[S13] an edit that was never acknowledged is told at once that another phone has changed the same', async () => {
  const job = await harness.job(owner, { title: 'Fix the gate' });
  const { ask } = await restoreAfter(async () => undefined);
  const stale = sent('job.edit', { id: job.id, set: { title: 'Mine' }, base: { title: 'Another' } });
  expect(codes(await ask(owner, [{ ...stale, from: { timeline: makeTestId() } }]))).toEqual(['stale']);
});

it('[S13][I2] a photo comes back to a job that its owner closed later, also where the closing is decided first', async () => {
  const job = post();
  const { url, mutation } = attach(job.args.id, 'yellow');
  const { made, ask } = await restoreAfter(async (first) => [
    ...(await first(owner, [job])),
    ...(await first(owner, [mutation])),
    ...(await first(owner, [sent('job.close', { id: job.args.id })])),
  ]);
  files.clear();
  expect(codes(await ask(owner, made))).toEqual(['applied', 'applied']);
  uploaded(url, owner);
  const late = await ask(owner, made.slice(1, 2));
  expect([codes(late), jobAfter(late, job.args.id)]).toEqual([
    ['applied'],
    expect.objectContaining({ status: 'closed', images: [url] }),
  ]);
});

it('[S13][I3] an interest comes back to a job that was closed after it, also where the homeowner’s phone comes first', async () => {
  const job = await harness.job(owner);
  const { user } = await harness.tradie();
  const late = (await harness.tradie()).user;
  const express = () => sent('interest.express', { id: makeTestId(), jobId: job.id });
  const { made, ask } = await restoreAfter(async (first) => ({
    interest: await first(user, [express()]),
    close: await first(owner, [sent('job.close', { id: job.id })]),
  }));
  await ask(owner, made.close);
  expect(codes(await ask(user, made.interest))).toEqual(['applied']);
  // What no database had taken is decided as ever: never acknowledged, it may have been made after the closing.
  const pending = { ...express(), from: { timeline: made.close[0]!.from!.timeline } };
  expect(codes(await ask(late, [pending]))).toEqual(['job-closed']);
  const closed = await harness.ask(owner, {}, over(must(restored, 'restored')));
  expect(jobAfter(closed as Delta, job.id)?.interestCount).toBe(1);
});

it('[S13] nothing is added to a job that was closed before the restore, whatever a phone says of it', async () => {
  const job = await harness.job(owner, { status: 'closed', closedAt: harness.now().toISOString() });
  const { user } = await harness.tradie();
  harness.pass(1_000);
  const { ask } = await restoreAfter(async () => undefined);
  const forged = sent('interest.express', { id: makeTestId(), jobId: job.id });
  const answer = await ask(user, [{ ...forged, from: { timeline: makeTestId(), version: '9' } }]);
  expect(codes(answer)).toEqual(['job-closed']);
});

it('[S13] nothing is added to a job that was closed before a restore of which nothing but its day is known', async () => {
  const job = await harness.job(owner, { status: 'closed', closedAt: harness.now().toISOString() });
  const open = await harness.job(owner);
  const { user } = await harness.tradie();
  harness.pass(1_000);
  const { made, ask } = await restoreAfterClosing(open, user);
  // As where a device has shown it (S14).
  await sql`update sync_timeline set point = 0`.execute(must(restored, 'restored').sql);
  const forged = sent('interest.express', { id: makeTestId(), jobId: job.id });
  const answer = await ask(user, [{ ...forged, from: { timeline: makeTestId(), version: '9' } }]);
  expect(codes(answer)).toEqual(['job-closed']);
  await ask(owner, made.close);
  expect(codes(await ask(user, made.interest))).toEqual(['applied']);
});

it('[S13][I3] an interest comes back to a job whose closing came back before it, also where a standby was promoted in between', async () => {
  const job = await harness.job(owner);
  const { user } = await harness.tradie();
  const { made, ask } = await restoreAfterClosing(job, user);
  await ask(owner, made.close);
  const { sql: rows } = must(restored, 'restored');
  const { timeline } = await startNewTimeline(rows);
  harness.pass(1_000);
  await rows.updateTable('sync_timeline').set({ began_at: harness.now() }).where('lineage', '=', timeline).execute();
  expect(codes(await ask(user, made.interest))).toEqual(['applied']);
});

it('[S13][I3] an interest comes back to a job that was closed since, also where the server’s clock is behind the database’s', async () => {
  const job = await harness.job(owner);
  const { user } = await harness.tradie();
  const { made, ask } = await restoreAfterClosing(job, user);
  const ahead = new Date(harness.now().getTime() + 3_000);
  await must(restored, 'restored').sql.updateTable('sync_timeline').set({ began_at: ahead }).execute();
  await ask(owner, made.close);
  expect(codes(await ask(user, made.interest))).toEqual(['applied']);
});

it('[S13] what a tradie had sent while their subscription ran comes back though it has ended since the restore, and nothing of one whose had ended before', async () => {
  const [job, other] = [await harness.job(owner), await harness.job(owner)];
  const { user } = await harness.tradie();
  const express = (to: Job) => sent('interest.express', { id: makeTestId(), jobId: to.id });
  const { made, ask } = await restoreAfter((first) => first(user, [express(job)]));
  const until = (at: Date) =>
    sql`update users set subscription_valid_until = ${at} where id = ${user.id}`.execute(
      must(restored, 'restored').sql,
    );
  await until(harness.now());
  harness.pass(1_000);
  expect(codes(await ask(user, made))).toEqual(['applied']);
  // What was never acknowledged is asked about as of now.
  const pending = { ...express(other), from: { timeline: made[0]!.from!.timeline } };
  expect(waits(await ask(user, [pending]))).toEqual([pending.uid]);
  await until(new Date(harness.now().getTime() - hour));
  const forged = { ...express(other), from: { timeline: makeTestId(), version: '9' } };
  expect(waits(await ask(user, [forged]))).toEqual([forged.uid]);
  harness.pass(restoreWait);
  expect((await ask(user, [forged])).outcomes).toMatchObject([
    {
      code: 'subscription-required',
      message:
        'Dwang was put back to an earlier copy, and your subscription has ended since this was sent. It was not sent again.',
    },
  ]);
});
