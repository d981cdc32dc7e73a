import { sql as rawSql } from 'kysely';
import { isUuid } from '../../../shared/lib/uuid.ts';
import type { Deps } from '../../ports/deps.ts';
import type { Sql } from '../../db/database.ts';
import { listDeadLetters } from './dead-letters.ts';

export interface Person {
  id: string;
  email: string;
}

/** By id or by email address. Undefined where no profile matches. */
export async function findPerson(sql: Sql, who: string): Promise<Person | undefined> {
  const { rows } = isUuid(who)
    ? await rawSql<Person>`select id, email from users where id = ${who}::uuid`.execute(sql)
    : await rawSql<Person>`select id, email from users where lower(email) = lower(${who})`.execute(sql);
  return rows[0];
}

/** One person's sync, for support: ids, counts and instants; no name, address, phone or text of theirs. */
export async function syncStateOf(sql: Sql, id: string): Promise<Record<string, unknown>> {
  const rows = async (query: ReturnType<typeof rawSql<Record<string, unknown>>>) => (await query.execute(sql)).rows;
  const [meta] = await rows(
    rawSql`select lineage, tombstone_floor as "tombstoneFloor", greatest(tombstone_floor, (select max(version) from sync_change)) as "headVersion" from sync_meta`,
  );
  const [person] = await rows(
    rawSql`select id, tradie_id as "tradieId", subscription_status as "subscriptionStatus", subscription_valid_until as "subscriptionValidUntil", created_at as "createdAt" from users where id = ${id}::uuid`,
  );
  return {
    server: meta,
    person,
    devices:
      await rows(rawSql`select device, first_at as "firstAt", last_at as "lastExchangeAt", exchanges, protocol, schema, version, view, sent as "sentLast", reset_reason as "lastReset", reset_at as "lastResetAt"
      from sync_device where user_id = ${id}::uuid order by last_at desc limit 50`),
    newestVersion:
      (await rows(rawSql`select max(version) as version from sync_change where audience @> array[${id}::uuid]`))[0]?.[
        'version'
      ] ?? null,
    outcomes: await rows(
      rawSql`select name, status, outcome ->> 'code' as code, count(*)::int as count, max(at) as "lastAt" from sync_mutation where user_id = ${id}::uuid group by 1, 2, 3 order by max(at) desc`,
    ),
    recent: await rows(
      rawSql`select uid, name, status, outcome ->> 'code' as code, at from sync_mutation where user_id = ${id}::uuid order by at desc, uid limit 20`,
    ),
    failing: await rows(
      rawSql`select uid, attempts, first_at as "firstAt", last_at as "lastAt", last_error as "lastError" from sync_attempt where user_id = ${id}::uuid order by last_at desc`,
    ),
    parked: await listDeadLetters(sql, { userId: id }),
  };
}

/**
 * All personal data of a person, for a request under the Privacy Act 2020 (information privacy principle 6). Texts and names of others
 * are left out: of people who viewed or answered them, only the time is included.
 */
export async function exportPerson(
  { database, clock, personalDataOf }: Pick<Deps, 'database' | 'clock' | 'personalDataOf'>,
  person: Person,
): Promise<Record<string, unknown>> {
  const { sql } = database;
  const { id } = person;
  const rows = async (query: ReturnType<typeof rawSql<Record<string, unknown>>>) => (await query.execute(sql)).rows;
  const whole = (table: string, column: string) =>
    rows(rawSql`select * from ${rawSql.table(table)} t where ${rawSql.ref(column)} = ${id}::uuid`);
  return {
    madeAt: clock().toISOString(),
    about: 'Everything Dwang holds of this person. Of other people it says only that and when they did something.',
    person: (await whole('users', 'id'))[0],
    businessProfile: (await whole('tradies', 'user_id'))[0] ?? null,
    jobs: await whole('jobs', 'user_id'),
    interestsExpressed: await rows(
      rawSql`select id, job_id, note, created_at from interests where user_id = ${id}::uuid order by created_at`,
    ),
    interestsReceived: await rows(
      rawSql`select id, job_id, contacted_at, created_at from interests where owner_id = ${id}::uuid order by created_at`,
    ),
    changesMade: await rows(
      rawSql`select uid, name, status, outcome, at from sync_mutation where user_id = ${id}::uuid order by at, uid`,
    ),
    changesNotDecided: (
      await rows(
        rawSql`select uid, name, args, parked_at, replayed_at, discarded_at from sync_parked where user_id = ${id}::uuid order by parked_at`,
      )
    ).map((parked) => ({
      ...parked,
      args: typeof parked['args'] === 'string' ? (JSON.parse(parked['args']) as unknown) : null,
    })),
    devices: await whole('sync_device', 'user_id'),
    mailPreference: await rows(
      rawSql`select wants_interest_mails, changed_at from mail_preference where user_id = ${id}::uuid`,
    ),
    subscriptions: await rows(
      rawSql`select id, customer_id, status, trial_end, current_period_end, ended_at, started_at from billing_subscription where user_id = ${id}::uuid order by started_at`,
    ),
    paymentCustomer: await rows(
      rawSql`select customer_id, created_at from billing_customer where user_id = ${id}::uuid`,
    ),
    onboardings: await rows(
      rawSql`select tradie_data, state, created_at from billing_checkout where user_id = ${id}::uuid order by created_at`,
    ),
    businessNumberCheck: await rows(
      rawSql`select c.nzbn, is_registered, entity_name, answered_at from nzbn_check c join tradies t on t.nzbn = c.nzbn where t.user_id = ${id}::uuid`,
    ),
    businessNumberClaims: await rows(
      rawSql`select nzbn, case when claimed_by = ${id}::uuid then claimed_at end as claimed_at, holder_id = ${id}::uuid as is_held from nzbn_claim where claimed_by = ${id}::uuid or holder_id = ${id}::uuid order by nzbn`,
    ),
    contactDetailsIRead: await rows(
      rawSql`select day, count(*)::int as profiles, sum(reads)::int as reads from contact_read where reader_id = ${id}::uuid group by day order by day`,
    ),
    contactDetailsReadByOthers: await rows(
      rawSql`select day, count(*)::int as people, sum(reads)::int as reads from contact_read read join tradies t on t.id = read.tradie_id where t.user_id = ${id}::uuid group by day order by day`,
    ),
    whatOperatorsDid: await rows(
      rawSql`select at, action, result from admin_audit where user_id = ${id}::uuid order by at`,
    ),
    ...(await personalDataOf(person)),
  };
}
