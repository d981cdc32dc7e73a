import { sql as rawSql } from 'kysely';
import { actorOf, hasSubscription } from '../../shared/actor.ts';
import { makeId } from '../../shared/lib/id.ts';
import { must } from '../../shared/lib/must.ts';
import { foreignPhoto, isOwnPhoto } from '../../shared/mutations/photo.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import type { Deps } from '../deps.ts';
import { forbidden, notFound } from '../http/http-problem.ts';
import type { Handlers } from './call-router.ts';
import type { ContactReads } from './contact-reads.ts';
import { stepUid, type Decide, type Step } from './decide.ts';
import { presentJob } from './present-job.ts';
import { readRow, readRows } from './read-rows.ts';
import { readReferenceLists } from './reference-lists.ts';

type JobCalls = 'jobs.list' | 'jobs.read' | 'jobs.interests' | 'jobs.post' | 'jobs.edit' | 'jobs.close' | 'jobs.express';

export interface JobParts {
  decide: Decide;
  contactReads: ContactReads;
}

/** The documented job calls. Writes are the same mutations as the exchange's, decided by the same law. */
export function jobHandlers({ database, clock, photoBase }: Deps, { decide, contactReads }: JobParts): Pick<Handlers, JobCalls> {
  const { sql } = database;
  const now = () => clock().toISOString();
  const newId = () => makeId(clock().getTime(), { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });
  const present = async (row: Job, viewerId: string | undefined) => presentJob(row, viewerId, await readReferenceLists(sql));

  /** The job, if this person may know that it is there (product.md section 3). */
  async function mustSee(id: string, person: User | undefined): Promise<Job> {
    const row = await readRow(sql, 'jobs', id);
    if (row === undefined) throw notFound('Job not found');
    if (row.status === 'active' || row.userId === person?.id) return row;
    if (person !== undefined && (await ownInterest(row.id, person)) !== undefined) return row;
    throw notFound('Job not found');
  }

  async function ownInterest(jobId: string, person: User) {
    const [interest] = await readRows(sql, 'interests', rawSql`t.job_id = ${jobId} and t.user_id = ${person.id}`);
    return interest;
  }

  function mustBeOwnPhotos(urls: readonly string[], userId: string, jobId: string): void {
    if (!urls.every((url) => isOwnPhoto(url, { photoBase, userId, jobId }))) throw foreignPhoto();
  }

  return {
    'jobs.list': async ({ person, query }) => {
      const isOwn = query.type === 'my-jobs';
      if (!isOwn && !hasSubscription(actorOf(person), now())) {
        throw forbidden('A running tradie subscription is needed to browse jobs.', 'subscription-required');
      }
      const rows = await readRows(sql, 'jobs', isOwn ? rawSql`t.user_id = ${person.id}` : rawSql`t.status = 'active'`);
      const lists = await readReferenceLists(sql);
      return rows.map((row) => presentJob(row, person.id, lists));
    },

    'jobs.read': async ({ params, person }) => present(await mustSee(params.id, person), person?.id),

    'jobs.interests': async ({ params, person }) => {
      const row = await mustSee(params.id, person);
      const isOwner = row.userId === person.id;
      if (!isOwner && person.tradieId === null) throw forbidden('Only the person who posted this job can see who is interested.');
      const seen = isOwner ? rawSql`t.job_id = ${row.id}` : rawSql`t.job_id = ${row.id} and t.user_id = ${person.id}`;
      const interests = await readRows(sql, 'interests', seen, rawSql`t.created_at, t.id`);
      const tradieIds = interests.map(({ tradieId }) => tradieId);
      if (isOwner) await contactReads.note(person.id, tradieIds);
      const tradies = new Map((await readRows(sql, 'tradies', rawSql`t.id = any(${tradieIds}::uuid[])`)).map((one) => [one.id, one]));
      return interests.map(({ id, jobId, note, createdAt, tradieId }) => {
        const { userId, businessName, logo, email, contactPhone } = must(tradies.get(tradieId), 'the tradie of an interest');
        return { id, jobId, note, createdAt, tradie: { id: tradieId, userId, businessName, logo, email, contactPhone } };
      });
    },

    'jobs.post': async ({ body, person, idempotencyKey }) => {
      const { id = newId(), images = [], ...fields } = body;
      mustBeOwnPhotos(images, person.id, id);
      const first = idempotencyKey ?? newId();
      const attached = images.map((url): Step => ({ uid: stepUid(first, url), name: 'photo.attach', args: { id: stepUid(first, url), jobId: id, url } }));
      await decide(person.id, [{ uid: first, name: 'job.post', args: { id, ...fields } }, ...attached]);
      return present(must(await readRow(sql, 'jobs', id), 'the posted job'), person.id);
    },

    'jobs.edit': async ({ params, body, person, idempotencyKey }) => {
      const row = await mustSee(params.id, person);
      const { images, location_id: locationId, budget_max: budgetMax, category_id: categoryId, ...same } = body;
      const set = Object.fromEntries(Object.entries({ ...same, locationId, budgetMax, categoryId }).filter(([, value]) => value !== undefined));
      const first = idempotencyKey ?? newId();
      const steps: Step[] = [{ uid: first, name: 'job.edit', args: { id: row.id, set, base: row } }];
      if (images !== undefined) {
        mustBeOwnPhotos(images.filter((url) => !row.images.includes(url)), person.id, row.id);
        const gone = row.images.filter((url) => !images.includes(url));
        const added = images.filter((url) => !row.images.includes(url));
        for (const url of gone) steps.push({ uid: stepUid(first, `-${url}`), name: 'photo.remove', args: { id: row.id, url } });
        for (const url of added) steps.push({ uid: stepUid(first, url), name: 'photo.attach', args: { id: stepUid(first, url), jobId: row.id, url } });
      }
      await decide(person.id, steps);
      return present(await mustSee(row.id, person), person.id);
    },

    'jobs.close': async ({ params, person, idempotencyKey }) => {
      await decide(person.id, [{ uid: idempotencyKey ?? newId(), name: 'job.close', args: { id: params.id } }]);
      return present(await mustSee(params.id, person), person.id);
    },

    'jobs.express': async ({ params, body, person, idempotencyKey }) => {
      const args = { id: body.id ?? newId(), jobId: params.id, ...(body.note == null ? {} : { note: body.note }) };
      await decide(person.id, [{ uid: idempotencyKey ?? newId(), name: 'interest.express', args }]);
      const { id, jobId, note, createdAt } = must(await ownInterest(params.id, person), 'the interest just expressed');
      return { id, jobId, note, createdAt };
    },
  };
}
