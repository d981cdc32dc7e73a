import { sql as rawSql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';
import { unpackCookie } from '../../sync/cookie.ts';
import type { ExchangeSeen } from '../../sync/exchange-route.ts';

/** Milliseconds between two writes, and the maximum of devices buffered in between. */
const pace = { flush: 15_000, max: 20_000 } as const;
/** Devices kept for one person: those that reported last. A signed-in client can make up any device name. */
const devicesEach = 20;

interface Line {
  user_id: string;
  device: string;
  at: string;
  exchanges: number;
  protocol: number;
  schema: number;
  /** What the device said it has: an answer it was given may never have been kept. */
  version: string | null;
  view: string | null;
  sent: number;
  reset_reason: string | null;
}

export interface DeviceLog {
  observe(seen: ExchangeSeen): void;
  /** Writes what was gathered. */
  flush(): Promise<void>;
  /** Writes the rest. Before the database is closed. */
  close(): Promise<void>;
}

/** Which devices there are and how far they have got, gathered here and written together: an exchange costs no statement for it. */
export function createDeviceLog({
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
    // In one order, so that two instances never wait for each other.
    await rawSql`insert into sync_device as known (user_id, device, first_at, last_at, exchanges, protocol, schema, version, view, sent, reset_reason, reset_at)
      select user_id, device, at, at, exchanges, protocol, schema, version, view, sent, reset_reason, case when reset_reason is null then null else at end
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (user_id uuid, device text, at timestamptz, exchanges bigint, protocol integer, schema integer, version bigint, view text, sent integer, reset_reason text)
      order by user_id, device
      on conflict (user_id, device) do update set last_at = greatest(known.last_at, excluded.last_at), exchanges = known.exchanges + excluded.exchanges,
        protocol = excluded.protocol, schema = excluded.schema, version = excluded.version, view = coalesce(excluded.view, known.view), sent = excluded.sent,
        reset_reason = coalesce(excluded.reset_reason, known.reset_reason), reset_at = coalesce(excluded.reset_at, known.reset_at)`.execute(
      database.sql,
    );
    const people = [...new Set(lines.map((line) => line.user_id))];
    await rawSql`delete from sync_device d using (select user_id, device, row_number() over (partition by user_id order by last_at desc, device) as place
      from sync_device where user_id = any(${people}::uuid[])) as ranked
      where ranked.place > ${devicesEach} and d.user_id = ranked.user_id and d.device = ranked.device`.execute(
      database.sql,
    );
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
      seen.set(key, {
        user_id: userId,
        device,
        at: clock().toISOString(),
        exchanges: (before?.exchanges ?? 0) + 1,
        protocol: request.protocol,
        schema: request.schema,
        version: has?.v ?? null,
        view: given?.w ?? before?.view ?? null,
        sent: request.mutations.length,
        reset_reason: answer.kind === 'reset' ? answer.reason : (before?.reset_reason ?? null),
      });
    },
    async close() {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
