import { type Insertable, sql as rawSql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import type { Log } from '../../lib/log.ts';
import { unpackCookie } from '../../sync/cookie.ts';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';

/** Milliseconds between two writes, and the maximum of devices buffered in between. */
const pace = { flush: 15_000, max: 20_000 } as const;
/** Devices kept for one person: those that reported last. A signed-in client can make up any device name. */
const devicesEach = 20;

const columns = [
  'user_id',
  'device',
  'first_at',
  'last_at',
  'exchanges',
  'protocol',
  'schema',
  'version',
  'view',
  'sent',
  'reset_reason',
  'reset_at',
] as const;

/** The version is what the device said it has: an answer it was given may never have been kept. */
type Line = { [Column in (typeof columns)[number]]: InstantAsText<Insertable<Schema['sync_device']>[Column]> };
type InstantAsText<Value> = Value extends Date ? string : Exclude<Value, undefined>;

export interface DeviceLog {
  observe(seen: ExchangeSeen): void;
  /** Writes what was gathered. */
  flush(): Promise<void>;
  /** Writes the rest. Before the database is closed. */
  close(): Promise<void>;
}

/**
 * Which devices there are and how far they have got, gathered here and written together: an exchange costs no statement
 * for it.
 */
export function openDeviceLog({
  database,
  clock,
  log,
}: {
  database: Database;
  clock: () => Date;
  log: Pick<Log, 'warn'>;
}): DeviceLog {
  let seen = new Map<string, Line>();
  let perPerson = new Map<string, number>();

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const lines = [...seen.values()];
    [seen, perPerson] = [new Map(), new Map()];
    // The rows are locked in one order, so that two instances never wait for each other.
    await database.sql
      .insertInto('sync_device')
      .columns(columns)
      .expression(({ selectFrom }) =>
        // The list is one parameter, however long it is.
        selectFrom(
          rawSql<Line>`jsonb_populate_recordset(null::sync_device, ${JSON.stringify(lines)}::jsonb)`.as<'line'>('line'),
        )
          .select(columns)
          .orderBy('user_id')
          .orderBy('device'),
      )
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'device']).doUpdateSet(({ eb, fn, ref }) => ({
          last_at: fn<Date>('greatest', ['sync_device.last_at', 'excluded.last_at']),
          exchanges: eb('sync_device.exchanges', '+', ref('excluded.exchanges')),
          protocol: ref('excluded.protocol'),
          schema: ref('excluded.schema'),
          version: ref('excluded.version'),
          view: fn.coalesce('excluded.view', 'sync_device.view'),
          sent: ref('excluded.sent'),
          reset_reason: fn.coalesce('excluded.reset_reason', 'sync_device.reset_reason'),
          reset_at: fn.coalesce('excluded.reset_at', 'sync_device.reset_at'),
        })),
      )
      .execute();
    const people = [...new Set(lines.map((line) => line.user_id))];
    await database.sql
      .deleteFrom('sync_device as d')
      .using(({ selectFrom }) =>
        selectFrom('sync_device')
          .select(({ fn }) => [
            'user_id',
            'device',
            fn
              .agg<string>('row_number')
              .over((over) => over.partitionBy('user_id').orderBy('last_at', 'desc').orderBy('device'))
              .as('place'),
          ])
          .where((eb) => eb('user_id', '=', eb.fn.any(eb.val(people))))
          .as('ranked'),
      )
      .where('ranked.place', '>', String(devicesEach))
      .whereRef('d.user_id', '=', 'ranked.user_id')
      .whereRef('d.device', '=', 'ranked.device')
      .execute();
  }

  const write = () =>
    flush().catch((error: unknown) => log.warn({ err: error }, 'could not write down which devices there are'));
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void (writing = writing.then(write)), pace.flush).unref();

  return {
    flush,
    observe({ userId, device, request, answer }) {
      if (device === undefined || answer === undefined) return;
      const key = `${userId} ${device}`;
      const before = seen.get(key);
      if (before === undefined && (seen.size >= pace.max || (perPerson.get(userId) ?? 0) >= devicesEach)) return;
      if (before === undefined) perPerson.set(userId, (perPerson.get(userId) ?? 0) + 1);
      const has = request.cookie === null ? undefined : unpackCookie(request.cookie);
      const given = answer.kind === 'delta' ? unpackCookie(answer.cookie) : undefined;
      const at = clock().toISOString();
      seen.set(key, {
        user_id: userId,
        device,
        first_at: at,
        last_at: at,
        exchanges: String(Number(before?.exchanges ?? 0) + 1),
        protocol: request.protocol,
        schema: request.schema,
        version: has?.v ?? null,
        view: given?.w ?? before?.view ?? null,
        sent: request.mutations.length,
        reset_reason: answer.kind === 'reset' ? answer.reason : (before?.reset_reason ?? null),
        reset_at: answer.kind === 'reset' || before?.reset_reason != null ? at : null,
      });
    },
    async close() {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
