import { isUuid } from '../../../shared/lib/uuid.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Sql } from '../../db/database.ts';
import { listDeadLetters } from './dead-letters.ts';

export interface Person {
  id: string;
  email: string;
}

/** Finds a person by id or by email address. Undefined where no profile matches. */
export function findPerson(sql: Sql, who: string): Promise<Person | undefined> {
  return sql
    .selectFrom('users')
    .select(['id', 'email'])
    .where((eb) =>
      isUuid(who) ? eb('id', '=', who) : eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(who)])),
    )
    .executeTakeFirst();
}

/** One person's sync, for support: ids, counts and instants; no name, address, phone or text of theirs. */
export async function syncStateOf(sql: Sql, id: string): Promise<Record<string, unknown>> {
  const mutations = sql.selectFrom('sync_mutation').where('user_id', '=', id);
  const newest = await sql
    .selectNoFrom(({ fn, selectFrom }) =>
      fn<string | null>('greatest', [
        selectFrom('sync_change')
          .select((change) => change.fn.max('version').as('changed'))
          .where((eb) => eb('audience', '@>', eb.val([id]))),
        selectFrom('sync_access')
          .select((access) => access.fn.max('version').as('told'))
          .where('person', '=', id),
      ]).as('version'),
    )
    .executeTakeFirst();
  return {
    server: await sql
      .selectFrom('sync_meta')
      .select(({ fn, selectFrom }) => [
        'lineage',
        'tombstone_floor as tombstoneFloor',
        fn<string>('greatest', [
          'tombstone_floor',
          selectFrom('sync_change').select((change) => change.fn.max('version').as('newest')),
        ]).as('headVersion'),
      ])
      .executeTakeFirst(),
    person: await sql
      .selectFrom('users')
      .select([
        'id',
        'tradie_id as tradieId',
        'subscription_status as subscriptionStatus',
        'subscription_valid_until as subscriptionValidUntil',
        'created_at as createdAt',
      ])
      .where('id', '=', id)
      .executeTakeFirst(),
    devices: await sql
      .selectFrom('sync_device')
      .select([
        'device',
        'first_at as firstAt',
        'last_at as lastExchangeAt',
        'exchanges',
        'protocol',
        'schema',
        'version',
        'view',
        'sent as sentLast',
        'reset_reason as lastReset',
        'reset_at as lastResetAt',
      ])
      .where('user_id', '=', id)
      .orderBy('last_at', 'desc')
      .limit(50)
      .execute(),
    newestVersion: newest?.version ?? null,
    outcomes: await sql
      .selectFrom(
        mutations
          .select((eb) => ['name', 'status', eb.ref('outcome', '->>').key('code').as('code'), 'at'])
          .as('decided'),
      )
      .select((eb) => [
        'name',
        'status',
        'code',
        eb.cast<number>(eb.fn.countAll(), 'integer').as('count'),
        eb.fn.max('at').as('lastAt'),
      ])
      .groupBy(['name', 'status', 'code'])
      .orderBy('lastAt', 'desc')
      .execute(),
    recent: await mutations
      .select((eb) => ['uid', 'name', 'status', eb.ref('outcome', '->>').key('code').as('code'), 'at'])
      .orderBy('at', 'desc')
      .orderBy('uid')
      .limit(20)
      .execute(),
    failing: await sql
      .selectFrom('sync_attempt')
      .select(['uid', 'attempts', 'first_at as firstAt', 'last_at as lastAt', 'last_error as lastError'])
      .where('user_id', '=', id)
      .orderBy('last_at', 'desc')
      .execute(),
    parked: await listDeadLetters(sql, { userId: id }),
  };
}

/**
 * All personal data of a person, for a request under the Privacy Act 2020 (information privacy principle 6). Texts and
 * names of others are left out: of people who viewed or answered them, only the time is included.
 */
export async function exportPerson(
  { database, clock, personalDataOf }: Pick<Deps, 'database' | 'clock' | 'personalDataOf'>,
  person: Person,
): Promise<Record<string, unknown>> {
  const { sql } = database;
  const { id } = person;
  return {
    madeAt: clock().toISOString(),
    about: 'Everything Dwang holds of this person. Of other people it says only that and when they did something.',
    person: await sql.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
    businessProfile: (await sql.selectFrom('tradies').selectAll().where('user_id', '=', id).executeTakeFirst()) ?? null,
    jobs: await sql.selectFrom('jobs').selectAll().where('user_id', '=', id).execute(),
    interestsExpressed: await sql
      .selectFrom('interests')
      .select(['id', 'job_id', 'note', 'is_seen', 'created_at'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
    interestsReceived: await sql
      .selectFrom('interests')
      .select(['id', 'job_id', 'contacted_at', 'owner_note', 'seen_at', 'created_at'])
      .where('owner_id', '=', id)
      .orderBy('created_at')
      .execute(),
    marks: await sql.selectFrom('marks').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    savedSearches: await sql.selectFrom('searches').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    preferences: (await sql.selectFrom('preferences').selectAll().where('user_id', '=', id).executeTakeFirst()) ?? null,
    changesMade: await sql
      .selectFrom('sync_mutation')
      .select(['uid', 'name', 'status', 'outcome', 'at'])
      .where('user_id', '=', id)
      .orderBy('at')
      .orderBy('uid')
      .execute(),
    changesNotDecided: (
      await sql
        .selectFrom('sync_parked')
        .select(['uid', 'name', 'args', 'parked_at', 'replayed_at', 'discarded_at'])
        .where('user_id', '=', id)
        .orderBy('parked_at')
        .execute()
    ).map((letter) => ({ ...letter, args: letter.args === null ? null : (JSON.parse(letter.args) as unknown) })),
    devices: await sql.selectFrom('sync_device').selectAll().where('user_id', '=', id).execute(),
    sentAgainAfterRestore: await sql
      .selectFrom('sync_sent_again')
      .select(['uid', 'name', 'became', 'device', 'first_at', 'last_at'])
      .where('user_id', '=', id)
      .orderBy('first_at')
      .orderBy('uid')
      .execute(),
    mailPreference: await sql
      .selectFrom('mail_preference')
      .select(['wants_interest_mails', 'changed_at'])
      .where('user_id', '=', id)
      .execute(),
    alerts: await sql
      .selectFrom('alert')
      .select(['kind', 'job_id', 'at', 'pushed_at', 'mailed_at', 'dropped_at'])
      .where('user_id', '=', id)
      .orderBy('at')
      .execute(),
    // The answer names no addresses of phones: the holder of one may write to that phone.
    phonesToAlert: await sql
      .selectFrom('push_subscription')
      .select(['id', 'created_at'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
    ...(await paymentsOf(sql, id)),
    contactDetailsIRead: await sql
      .selectFrom('contact_read')
      .select((eb) => [
        'day',
        eb.cast<number>(eb.fn.countAll(), 'integer').as('profiles'),
        eb.cast<number>(eb.fn.sum('reads'), 'integer').as('reads'),
      ])
      .where('reader_id', '=', id)
      .groupBy('day')
      .orderBy('day')
      .execute(),
    contactDetailsReadByOthers: await sql
      .selectFrom('contact_read as read')
      .innerJoin('tradies as t', 't.id', 'read.tradie_id')
      .select((eb) => [
        'day',
        eb.cast<number>(eb.fn.countAll(), 'integer').as('people'),
        eb.cast<number>(eb.fn.sum('reads'), 'integer').as('reads'),
      ])
      .where('t.user_id', '=', id)
      .groupBy('day')
      .orderBy('day')
      .execute(),
    whatOperatorsDid: await sql
      .selectFrom('admin_audit')
      .select(['at', 'action', 'result'])
      .where('user_id', '=', id)
      .orderBy('at')
      .execute(),
    ...(await personalDataOf(person)),
  };
}

async function paymentsOf(sql: Sql, id: string) {
  return {
    subscriptions: await sql
      .selectFrom('billing_subscription')
      .select(['id', 'customer_id', 'status', 'trial_end', 'current_period_end', 'ended_at', 'started_at'])
      .where('user_id', '=', id)
      .orderBy('started_at')
      .execute(),
    paymentCustomer: await sql
      .selectFrom('billing_customer')
      .select(['customer_id', 'created_at'])
      .where('user_id', '=', id)
      .execute(),
    onboardings: await sql
      .selectFrom('billing_checkout')
      .select(['tradie_data', 'state', 'created_at'])
      .where('user_id', '=', id)
      .orderBy('created_at')
      .execute(),
    businessNumberCheck: await sql
      .selectFrom('nzbn_check as c')
      .innerJoin('tradies as t', 't.nzbn', 'c.nzbn')
      .select(['c.nzbn', 'c.is_registered', 'c.entity_name', 'c.answered_at'])
      .where('t.user_id', '=', id)
      .execute(),
    businessNumberClaims: await sql
      .selectFrom('nzbn_claim')
      .select((eb) => [
        'nzbn',
        eb.case().when('claimed_by', '=', id).then(eb.ref('claimed_at')).end().as('claimed_at'),
        eb('holder_id', '=', id).as('is_held'),
      ])
      .where((eb) => eb.or([eb('claimed_by', '=', id), eb('holder_id', '=', id)]))
      .orderBy('nzbn')
      .execute(),
  };
}
