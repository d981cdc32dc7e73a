import { must } from '../../shared/lib/must.ts';
import { notFound as notThere } from '../../shared/mutations/rejection.ts';
import type { Tradie } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import type { Deps } from '../ports/deps.ts';
import { forbidden, notFound } from '../http/http-problem.ts';
import { findCheck } from '../nzbn/nzbn-checks.ts';
import type { Call, Handlers } from './call-router.ts';
import type { ContactReads } from './contact-reads.ts';
import type { Decide } from './decide.ts';
import { mustBeOwnEmail } from './own-email.ts';
import { presentJob } from './present-job.ts';
import { lockRow, readRow, readRows } from './read-rows.ts';
import { readReferenceLists, type Category, type ReferenceLists } from './reference-lists.ts';

type TradieCalls = 'tradies.list' | 'tradies.mine' | 'tradies.interests' | 'tradies.read' | 'tradies.edit';

export interface TradieParts {
  decide: Decide;
  contactReads: ContactReads;
}

const categoriesOf = (row: Tradie, { categories }: Pick<ReferenceLists, 'categories'>): Category[] =>
  row.categoryIds.flatMap((id) => categories.get(id) ?? []);

/** What a profile is shown with. */
type ProfileFrame = ReferenceLists & Pick<Call<'tradies.read'>, 'addressOf'>;

/** A profile; its email and phone only where the viewer may have them. */
async function presentProfile(sql: Sql, row: Tradie, withContact: boolean, { addressOf, ...lists }: ProfileFrame) {
  const registeredName = (await findCheck(sql, row.nzbn))?.entityName;
  const { categoryIds: _ids, createdAt: _at, email, contactPhone, ...open } = row;
  return {
    ...open,
    ...(registeredName === undefined ? {} : { registeredName }),
    logo: addressOf(row.logo),
    categories: categoriesOf(row, lists),
    ...(withContact ? { email, contactPhone } : {}),
  };
}

/** The documented tradie calls. */
export function tradieHandlers({ database }: Deps, { decide, contactReads }: TradieParts): Pick<Handlers, TradieCalls> {
  const { sql } = database;

  async function mustFind(id: string | null): Promise<Tradie> {
    const row = id === null ? undefined : await readRow(sql, 'tradies', id);
    if (row === undefined) throw notFound('Tradie not found');
    return row;
  }

  return {
    'tradies.list': async ({ addressOf }) => {
      const lists = await readReferenceLists(sql);
      const rows = await readRows(sql, 'tradies', { order: ['business_name', 'id'] });
      return rows.map((row) => ({
        id: row.id,
        businessName: row.businessName,
        logo: addressOf(row.logo),
        categories: categoriesOf(row, lists),
        locationId: row.locationId,
        isVerified: row.isVerified,
      }));
    },

    'tradies.mine': async ({ person, addressOf }) =>
      presentProfile(sql, await mustFind(person.tradieId), true, { ...(await readReferenceLists(sql)), addressOf }),

    'tradies.interests': async ({ person, addressOf }) => {
      if (person.tradieId === null) throw forbidden('Only tradies express interest in jobs.', 'not-a-tradie');
      const interests = await readRows(sql, 'interests', { where: (t) => t('user_id', '=', person.id) });
      const jobIds = interests.map(({ jobId }) => jobId);
      const jobs = await readRows(sql, 'jobs', { where: (t) => t('id', '=', t.fn.any(t.val(jobIds))) });
      const byId = new Map(jobs.map((job) => [job.id, job]));
      const frame = { ...(await readReferenceLists(sql)), addressOf };
      return interests.map(({ id, createdAt, jobId, note }) => ({
        id,
        createdAt,
        jobId,
        note,
        job: presentJob(must(byId.get(jobId), 'the job of an interest'), person.id, frame),
      }));
    },

    'tradies.read': async ({ params, claims, addressOf }) => {
      const row = await mustFind(params.id);
      if (claims !== undefined && claims.userId !== row.userId) await contactReads.note(claims.userId, [row.id]);
      return presentProfile(sql, row, claims !== undefined, { ...(await readReferenceLists(sql)), addressOf });
    },

    'tradies.edit': async ({ params, body, person, uid, addressOf }) => {
      const { email, ...set } = body;
      if (email !== undefined) mustBeOwnEmail(email, person.email);
      await decide(person.id, {
        uid,
        call: 'tradies.edit',
        input: { params, body },
        plan: async (held) => {
          const base = await lockRow(held, 'tradies', params.id);
          if (base?.userId !== person.id) throw notThere();
          return [{ name: 'profile.edit', args: { id: params.id, set, base } }];
        },
      });
      return presentProfile(sql, await mustFind(params.id), true, { ...(await readReferenceLists(sql)), addressOf });
    },
  };
}
