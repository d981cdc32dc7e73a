import { sql as rawSql } from 'kysely';
import { day, minute } from '../../../shared/lib/durations.ts';
import { mutationNames } from '../../../shared/mutations/index.ts';
import type { Database, Sql } from '../../db/database.ts';
import { wholeNumber } from '../../db/whole-number.ts';
import { effectNotes } from '../../effects/run-effects.ts';

/** `gone`: phones that turned out to have unsubscribed. `failed`: given up. */
export interface AlertOverview {
  byPhone: { sent: number; failed: number; gone: number; waiting: number };
  byMail: { sent: number; failed: number; waiting: number };
}

export interface SyncOverview {
  /** The devices of the whole cluster: instances share the database. */
  devices: { lastFiveMinutes: number; lastDay: number; known: number; people: number };
  /** Decided in the last 24 hours. */
  mutations: { name: string; status: string; code: string | null; count: number }[];
  /** Waiting for an operator. */
  parked: number;
  /**
   * Failing, and tried again within the last hour: a phone waits five minutes at most, and one that is gone never comes
   * to an end.
   */
  failing: number;
  headVersion: string;
  tombstoneFloor: string;
  lineage: string;
  /** Rows of the change table, how many of them are removals, and what it takes on the disk with its indexes. */
  changeTable: { rows: number; removals: number; bytes: number };
  /**
   * Effects (mails, alerts) that are due and still to be done, whether waiting for their first or their next attempt;
   * seconds since the oldest came; those given up in the last 24 hours.
   */
  effects: { waiting: number; oldestSeconds: number; givenUp: number };
  /** What people are told on their phones and by mail: in the last 24 hours, and what is due and still to be sent. */
  alerts: AlertOverview & { phones: number };
  /** When each retention job last finished. */
  retention: { job: string; finishedAt: Date; removed: number }[];
}

/** The state of sync, from the database. One read transaction. */
export function readSyncOverview(database: Database, now: Date): Promise<SyncOverview> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return database.transaction(
    async (sql) => {
      const devices = await sql
        .selectFrom('sync_device')
        .select((eb) => [
          wholeNumber(eb.fn.countAll().filterWhere('last_at', '>', before(5 * minute))).as('lastFiveMinutes'),
          wholeNumber(eb.fn.countAll().filterWhere('last_at', '>', before(day))).as('lastDay'),
          wholeNumber(eb.fn.countAll()).as('known'),
          wholeNumber(eb.fn.count('user_id').distinct()).as('people'),
        ])
        .executeTakeFirstOrThrow();
      const mutations = await sql
        .selectFrom((from) =>
          from
            .selectFrom('sync_mutation')
            .select((eb) => [
              eb
                .case()
                .when('name', '=', eb.fn.any(eb.val(mutationNames)))
                .then(eb.ref('name'))
                .else(rawSql.lit('unknown'))
                .end()
                .as('name'),
              'status',
              eb.ref('outcome', '->>').key('code').as('code'),
            ])
            .where('at', '>', before(day))
            .where('status', '<>', 'claimed')
            .as('decided'),
        )
        .select((eb) => ['name', 'status', 'code', wholeNumber(eb.fn.countAll()).as('count')])
        .groupBy(['name', 'status', 'code'])
        .orderBy('count', 'desc')
        .orderBy('name')
        .orderBy('status')
        .orderBy('code')
        .limit(100)
        .execute();
      const rest = await sql
        .selectFrom('sync_meta')
        .select(({ fn, selectFrom }) => [
          selectFrom('sync_parked')
            .select((eb) => wholeNumber(eb.fn.countAll()).as('parked'))
            .where('replayed_at', 'is', null)
            .where('discarded_at', 'is', null)
            .$asScalar()
            .$notNull()
            .as('parked'),
          selectFrom('sync_attempt')
            .select((eb) => wholeNumber(eb.fn.countAll()).as('failing'))
            .where('last_at', '>', before(60 * minute))
            .$asScalar()
            .$notNull()
            .as('failing'),
          'lineage',
          'tombstone_floor as tombstoneFloor',
          fn<string>('greatest', [
            'tombstone_floor',
            selectFrom('sync_change').select((eb) => eb.fn.max('version').as('newest')),
          ]).as('headVersion'),
        ])
        .executeTakeFirstOrThrow();
      const changeTable = await sql
        .selectFrom('sync_change')
        .select((eb) => [
          wholeNumber(eb.fn.countAll()).as('rows'),
          wholeNumber(eb.fn.countAll().filterWhere('deleted', '=', true)).as('removals'),
          rawSql<number>`pg_total_relation_size(${rawSql.lit('sync_change')})::float8`.as('bytes'),
        ])
        .executeTakeFirstOrThrow();
      const { oldest, ...effects } = await sql
        .selectFrom('effect')
        .select((eb) => [
          // What is for tomorrow morning does not wait yet.
          wholeNumber(
            eb.fn.countAll().filterWhere((open) => open.and([open('done_at', 'is', null), open('at', '<=', now)])),
          ).as('waiting'),
          eb.fn
            .min<Date | null>('at')
            .filterWhere((open) => open.and([open('done_at', 'is', null), open('at', '<=', now)]))
            .as('oldest'),
          wholeNumber(
            eb.fn
              .countAll()
              .filterWhere((done) =>
                done.and([
                  done('done_at', '>', before(day)),
                  done('last_error', 'is not', null),
                  done('last_error', 'not in', Object.values(effectNotes)),
                ]),
              ),
          ).as('givenUp'),
        ])
        .executeTakeFirstOrThrow();
      const oldestSeconds = (now.getTime() - (oldest ?? now).getTime()) / 1000;
      const alerts = await readAlerts(sql, { now, since: before(day) });
      const retention = await sql
        .selectFrom('retention_run')
        .select((eb) => ['job', 'finished_at as finishedAt', eb.cast<number>('removed', 'integer').as('removed')])
        .orderBy('job')
        .execute();
      return { devices, mutations, ...rest, changeTable, effects: { ...effects, oldestSeconds }, alerts, retention };
    },
    { mode: 'snapshot' },
  );
}

async function readAlerts(sql: Sql, { now, since }: { now: Date; since: Date }): Promise<SyncOverview['alerts']> {
  const rows = await sql
    .selectFrom('effect')
    .select((eb) => [
      'name',
      wholeNumber(
        eb.fn.countAll().filterWhere((it) => it.and([it('done_at', '>', since), it('last_error', 'is', null)])),
      ).as('sent'),
      wholeNumber(
        eb.fn
          .countAll()
          .filterWhere((it) =>
            it.and([
              it('done_at', '>', since),
              it('last_error', 'is not', null),
              it('last_error', 'not in', Object.values(effectNotes)),
            ]),
          ),
      ).as('failed'),
      wholeNumber(
        eb.fn
          .countAll()
          .filterWhere((it) => it.and([it('done_at', '>', since), it('last_error', '=', effectNotes.gone)])),
      ).as('gone'),
      wholeNumber(eb.fn.countAll().filterWhere((it) => it.and([it('done_at', 'is', null), it('at', '<=', now)]))).as(
        'waiting',
      ),
    ])
    .where('name', 'in', ['push.send', 'alerts.mail'])
    .groupBy('name')
    .execute();
  const { phones } = await sql
    .selectFrom('push_subscription')
    .select((eb) => wholeNumber(eb.fn.countAll()).as('phones'))
    .executeTakeFirstOrThrow();
  const of = (name: string) => {
    const { sent, failed, gone, waiting } = rows.find((row) => row.name === name) ?? none;
    return { sent, failed, gone, waiting };
  };
  const { gone: _never, ...byMail } = of('alerts.mail');
  return { byPhone: of('push.send'), byMail, phones };
}

const none = { sent: 0, failed: 0, gone: 0, waiting: 0 };
