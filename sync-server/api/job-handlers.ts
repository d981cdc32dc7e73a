import { actorOf, hasSubscription } from '../../shared/actor.ts';
import { fileRef } from '../../shared/lib/file-ref.ts';
import { must } from '../../shared/lib/must.ts';
import { notFound as notThere, Rejection } from '../../shared/mutations/rejection.ts';
import type { Job, User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import type { Deps } from '../ports/deps.ts';
import { forbidden, notFound } from '../http/http-problem.ts';
import type { Step } from '../sync/decide-request.ts';
import type { Handlers } from './call-router.ts';
import type { ContactReads } from './contact-reads.ts';
import { derivedId, type Decide } from './decide.ts';
import { presentJob } from './present-job.ts';
import { lockRow, readRow, readRows } from './read-rows.ts';
import { readReferenceLists } from './reference-lists.ts';

type JobCalls =
  | 'jobs.list'
  | 'jobs.read'
  | 'jobs.interests'
  | 'jobs.post'
  | 'jobs.edit'
  | 'jobs.close'
  | 'jobs.express';

type AddressOf = (kept: string) => string;

export interface JobParts {
  decide: Decide;
  contactReads: ContactReads;
}

/**
 * The documented job calls. Writes are the same mutations as the exchange's, with the same validation and
 * authorisation.
 */
export function jobHandlers(
  { database, clock, findFiles }: Deps,
  { decide, contactReads }: JobParts,
): Pick<Handlers, JobCalls> {
  const { sql } = database;
  const now = () => clock().toISOString();
  const present = async (row: Job, viewerId: string | undefined, addressOf: AddressOf) =>
    presentJob(row, viewerId, { ...(await readReferenceLists(sql)), addressOf });

  /** The job, if this person may know that it is there. */
  async function mustSee(id: string, person: User | undefined): Promise<Job> {
    const row = await readRow(sql, 'jobs', id);
    if (row === undefined) throw notFound('Job not found');
    if (row.status === 'active' || row.userId === person?.id) return row;
    if (person !== undefined && (await ownInterest(row.id, person)) !== undefined) return row;
    throw notFound('Job not found');
  }

  /** The photos that addresses name, each once, by the names storage has for them now. */
  async function refsOf(held: Sql, addresses: readonly string[]): Promise<string[]> {
    const refs = addresses.map((address) => fileRef('job-photos', address) ?? address);
    const known = await findFiles?.(held, refs);
    return [...new Set(refs.map((ref) => known?.get(ref)?.ref ?? ref))];
  }

  async function ownInterest(jobId: string, person: User) {
    const [interest] = await readRows(sql, 'interests', {
      where: (t) => t.and({ job_id: jobId, user_id: person.id }),
    });
    return interest;
  }

  return {
    'jobs.list': async ({ person, query, addressOf }) => {
      const isOwn = query.type === 'my-jobs';
      if (!isOwn && !hasSubscription(actorOf(person), now())) {
        throw forbidden('A running tradie subscription is needed to browse jobs.', 'subscription-required');
      }
      const rows = await readRows(sql, 'jobs', {
        where: (t) => (isOwn ? t('user_id', '=', person.id) : t('status', '=', 'active')),
      });
      const frame = { ...(await readReferenceLists(sql)), addressOf };
      return rows.map((row) => presentJob(row, person.id, frame));
    },

    'jobs.read': async ({ params, person, addressOf }) =>
      present(await mustSee(params.id, person), person?.id, addressOf),

    'jobs.interests': async ({ params, person, addressOf }) => {
      const row = await mustSee(params.id, person);
      const isOwner = row.userId === person.id;
      if (!isOwner && person.tradieId === null)
        throw forbidden('Only the person who posted this job can see who is interested.');
      const interests = await readRows(sql, 'interests', {
        where: (t) => t.and({ job_id: row.id, ...(isOwner ? {} : { user_id: person.id }) }),
        order: ['created_at', 'id'],
      });
      const tradieIds = interests.map(({ tradieId }) => tradieId);
      if (isOwner) await contactReads.note(person.id, tradieIds);
      const tradies = new Map(
        (await readRows(sql, 'tradies', { where: (t) => t('id', '=', t.fn.any(t.val(tradieIds))) })).map((one) => [
          one.id,
          one,
        ]),
      );
      return interests.map(({ id, jobId, note, createdAt, tradieId }) => {
        const { userId, businessName, logo, email, contactPhone } = must(
          tradies.get(tradieId),
          'the tradie of an interest',
        );
        return {
          id,
          jobId,
          note,
          createdAt,
          tradie: { id: tradieId, userId, businessName, logo: addressOf(logo), email, contactPhone },
        };
      });
    },

    'jobs.post': async ({ body, person, uid, addressOf }) => {
      const { id = derivedId(uid, 'job'), images = [], ...fields } = body;
      const attached = [...new Set(images)].map((url): Step => ({
        name: 'photo.attach',
        args: { id: derivedId(uid, url), jobId: id, url },
      }));
      await decide(person.id, {
        uid,
        call: 'jobs.post',
        input: body,
        plan: () => [{ name: 'job.post', args: { id, ...fields } }, ...attached],
      });
      return present(must(await readRow(sql, 'jobs', id), 'the posted job'), person.id, addressOf);
    },

    'jobs.edit': async ({ params, body, person, uid, addressOf }) => {
      const { images, location_id: locationId, budget_max: budgetMax, category_id: categoryId, ...same } = body;
      const set = Object.fromEntries(
        Object.entries({ ...same, locationId, budgetMax, categoryId }).filter(([, value]) => value !== undefined),
      );
      await decide(person.id, {
        uid,
        call: 'jobs.edit',
        input: { params, body },
        plan: async (held) => {
          const row = await lockRow(held, 'jobs', params.id);
          if (row?.userId !== person.id) throw notThere();
          const { title, description, urgency } = row;
          const base = {
            title,
            description,
            urgency,
            locationId: row.locationId,
            budgetMax: row.budgetMax,
            categoryId: row.categoryId,
          };
          return [
            { name: 'job.edit', args: { id: row.id, set, base } },
            ...(images === undefined ? [] : photoSteps(row, await refsOf(held, images), uid)),
          ];
        },
      }).catch(inCallersNames);
      return present(must(await readRow(sql, 'jobs', params.id), 'the edited job'), person.id, addressOf);
    },

    'jobs.close': async ({ params, person, uid, addressOf }) => {
      await decide(person.id, {
        uid,
        call: 'jobs.close',
        input: params,
        plan: () => [{ name: 'job.close', args: { id: params.id } }],
      });
      return present(must(await readRow(sql, 'jobs', params.id), 'the closed job'), person.id, addressOf);
    },

    'jobs.express': async ({ params, body, person, uid }) => {
      // Without a subscription one learns nothing of a job here, not even whether it is there.
      if (
        person.tradieId !== null &&
        !hasSubscription(actorOf(person), now()) &&
        (await ownInterest(params.id, person)) === undefined
      ) {
        throw new Rejection('subscription-required', 'A running tradie subscription is needed to express interest.');
      }
      const args = {
        id: body.id ?? derivedId(uid, 'interest'),
        jobId: params.id,
        ...(body.note == null ? {} : { note: body.note }),
      };
      await decide(person.id, {
        uid,
        call: 'jobs.express',
        input: { params, body },
        plan: () => [{ name: 'interest.express', args }],
      });
      const { id, jobId, note, createdAt } = must(await ownInterest(params.id, person), 'the interest just expressed');
      return { id, jobId, note, createdAt };
    },
  };
}

/**
 * What makes a job's photos these, in this order: from where the two lists differ, all are removed first, so that the
 * limit is not passed, and added anew.
 */
function photoSteps(row: Job, images: readonly string[], uid: string): Step[] {
  const standing = row.images.filter((url) => images.includes(url));
  const parting = images.findIndex((url, at) => standing[at] !== url);
  const isSame = (url: string) => parting < 0 || images.indexOf(url) < parting;
  const gone = row.images.filter((url) => !images.includes(url) || !isSame(url));
  const added = images.filter((url) => !isSame(url));
  return [
    ...gone.map((url): Step => ({ name: 'photo.remove', args: { id: row.id, url } })),
    ...added.map((url): Step => ({ name: 'photo.attach', args: { id: derivedId(uid, url), jobId: row.id, url } })),
  ];
}

const callersNames: Readonly<Record<string, string>> = {
  locationId: 'location_id',
  budgetMax: 'budget_max',
  categoryId: 'category_id',
  url: 'images',
};

/** A rejection names its fields as this call's body does. */
function inCallersNames(error: unknown): never {
  if (!(error instanceof Rejection) || error.fields === undefined) throw error;
  throw new Rejection(
    error.code,
    error.message,
    Object.fromEntries(Object.entries(error.fields).map(([field, words]) => [callersNames[field] ?? field, words])),
  );
}
