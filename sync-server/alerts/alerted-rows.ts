import { sql as rawSql } from 'kysely';
import { actorOf, hasSubscription } from '../../shared/actor.ts';
import { collectionColumns } from '../../shared/tables/collections.ts';
import type { PushedJob } from '../../shared/protocol/push-message.ts';
import type { Sql } from '../db/database.ts';
import { asRow, columnSql } from '../db/rows.ts';
import type { AlertedInterest, AlertedJob } from './push-message.ts';

interface Alert {
  id: string;
  subject_id: string;
}

/** Who is interested in which job of this person's; what is gone meanwhile is left out. */
export async function readAlertedInterests(
  sql: Sql,
  userId: string,
  alerts: readonly Alert[],
): Promise<(AlertedInterest & { alertId: string })[]> {
  if (alerts.length === 0) return [];
  const rows = await sql
    .selectFrom('interests as i')
    .innerJoin('jobs as j', 'j.id', 'i.job_id')
    .innerJoin('tradies as t', 't.id', 'i.tradie_id')
    .select(['i.id', 'j.id as job_id', 'j.title', 't.business_name'])
    .where('j.user_id', '=', userId)
    .where(
      'i.id',
      'in',
      alerts.map(({ subject_id: id }) => id),
    )
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return alerts.flatMap(({ id: alertId, subject_id: id }) => {
    const row = found.get(id);
    return row === undefined
      ? []
      : [{ alertId, jobId: row.job_id, jobTitle: row.title, businessName: row.business_name }];
  });
}

/** The jobs as in the feed: none for a person who may not read it now, none that was closed, none of their own. */
export async function readAlertedJobs(
  sql: Sql,
  userId: string,
  alerts: readonly Alert[],
  now: Date,
): Promise<(AlertedJob & { alertId: string })[]> {
  if (alerts.length === 0 || !(await mayReadFeed(sql, userId, now))) return [];
  const { rows } = await rawSql<Record<string, unknown> & { id: string }>`
    select ${rawSql.join(collectionColumns('feed').map((column) => rawSql`${columnSql('jobs', column, 't')} as ${rawSql.ref(column)}`))}
    from jobs t where t.id = any(${alerts.map(({ subject_id: id }) => id)}) and t.status = 'active' and t.user_id <> ${userId}`.execute(
    sql,
  );
  const found = new Map(rows.map((row) => [row.id, asRow<'jobs'>(row) as PushedJob]));
  if (found.size === 0) return [];
  const changed = await sql
    .selectFrom('sync_change')
    .select(['entity_id', 'shelf_version'])
    .where('entity', '=', 'jobs')
    .where('shelf', '=', 'feed')
    .where('entity_id', 'in', [...found.keys()])
    .execute();
  const versions = new Map(changed.map(({ entity_id: id, shelf_version: version }) => [id, version]));
  const places = new Map(
    (await sql.selectFrom('reference').select(['id', 'name', 'region']).where('kind', '=', 'location').execute()).map(
      ({ id, name, region }) => [id, name === region ? name : `${name}, ${region}`],
    ),
  );
  return alerts.flatMap(({ id: alertId, subject_id: id }) => {
    const row = found.get(id);
    return row === undefined
      ? []
      : [
          {
            alertId,
            row,
            version: versions.get(id) ?? '0',
            place: places.get(row.locationId ?? '') ?? row.suburb ?? '',
          },
        ];
  });
}

async function mayReadFeed(sql: Sql, userId: string, now: Date): Promise<boolean> {
  const person = await sql
    .selectFrom('users')
    .select(['id', 'tradie_id', 'subscription_status', 'subscription_valid_until'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (person === undefined) return false;
  const actor = actorOf({
    id: person.id,
    tradieId: person.tradie_id,
    subscriptionStatus: person.subscription_status,
    subscriptionValidUntil: person.subscription_valid_until?.toISOString() ?? null,
  });
  return hasSubscription(actor, now.toISOString());
}

/** What a device that has all of the feed would now name as its version, and of which timeline. */
export async function readFeedPosition(sql: Sql): Promise<{ version: string; timeline: string }> {
  const { rows } = await rawSql<{ version: string; timeline: string }>`
    select (select lineage::text from sync_meta) as timeline,
      greatest(
        coalesce((select version from shelf_manifest where shelf = 'feed'), 0),
        coalesce((select max(shelf_version) from sync_change where shelf = 'feed'), 0)
      )::text as version`.execute(sql);
  const [position] = rows;
  if (position === undefined) throw new Error('no sync_meta');
  return position;
}
