import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { createId } from '../../shared/lib/id.ts';
import { must } from '../../shared/lib/must.ts';
import type { Delta, SentMutation } from '../../shared/protocol/exchange.ts';
import { mutationsVersion, protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { measure, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { trueRandom } from '../world/random.ts';
import { openPlainClient, requestBytes, type PlainAnswer, type PlainClient } from './plain-client.ts';
import { meterDatabase, parentOf, threadCpuMs } from './process-cost.ts';
import { openServerWorld } from './server-world.ts';

/** Devices that take turns, and how many exchanges each has in its turn. */
const devices = 20;
const turn = 25;

type Decompress = (body: Buffer) => Buffer;
const decompress: Readonly<Record<string, Decompress>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

const textOf = ({ body, encoding }: PlainAnswer): string =>
  String(encoding === undefined ? body : must(decompress[encoding], 'an encoding that was asked for')(body));

/** A tradie's phone, as far as its exchanges go. */
function createDevice(port: number, { id: userId, token }: { id: string; token: string }) {
  let client: PlainClient | undefined;
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip, deflate, br, zstd' };
  let cookie: string | null = null;
  let journal: string[] = [];
  let collections: Record<string, string | null> = { feed: null, directory: null, reference: null };
  let timelines: Record<string, string> = {};

  async function ask(mutations: readonly SentMutation[]): Promise<Delta> {
    const wanted = {
      protocol: protocolVersion,
      schema: schemaVersion,
      mutationsVersion,
      userId,
      cookie,
      shelves: collections,
      timelines,
    };
    const body = JSON.stringify({ ...wanted, mutations, awaiting: [], journal });
    const answer = await must(client, 'a connection').ask(requestBytes('POST', '/api/sync', headers, body));
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${textOf(answer)}`);
    const delta = JSON.parse(textOf(answer)) as Delta;
    cookie = delta.cookie;
    if (delta.journal !== undefined) journal = [delta.journal.timeline];
    for (const [name, collection] of Object.entries(delta.shelves)) {
      if ('denied' in collection) throw new Error(`${name} is denied`);
      const { version, timeline } = 'manifest' in collection ? collection.manifest : collection;
      collections = { ...collections, [name]: version };
      if (timeline !== undefined) timelines = { ...timelines, [name]: timeline };
    }
    return delta;
  }

  return {
    /** Connects, for the server closes connections that it hears nothing on, and asks until it has everything. */
    begin: async () => {
      client = await openPlainClient(port);
      for (let round = 0; round < 3; round += 1) await ask([]);
    },
    express: async (jobIds: readonly string[]) => {
      const { outcomes } = await ask(
        jobIds.map((jobId) => ({
          uid: randomUUID(),
          name: 'interest.express',
          args: { id: createId(Date.now(), trueRandom), jobId, note: 'I can be there on Tuesday.' },
          at: new Date().toISOString(),
        })),
      );
      const applied = outcomes.filter(({ status }) => status === 'applied').length;
      if (applied !== jobIds.length) throw new Error(`${applied} of ${jobIds.length} interests were applied`);
    },
    end: () => client?.close(),
  };
}

/** Mails and alerts that follow an interest are work of their own, after its exchange: here they are never due. */
async function holdEffects(database: Database): Promise<void> {
  await sql`create function hold_effect() returns trigger language plpgsql as $$ begin new.due_at := 'infinity'; return new; end $$`.execute(
    database.sql,
  );
  await sql`create trigger hold before insert on effect for each row execute function hold_effect()`.execute(
    database.sql,
  );
}

const emptyStatements = 2_000;

/** CPU of a statement that does nothing, prepared and over the same pool: what each of an exchange's costs at least. */
async function emptyStatement(
  database: Database,
  meter: () => () => number,
): Promise<{ asker: number; postgres: number }> {
  const ask = (times: number) =>
    database.transaction(async (tx) => {
      for (let at = 0; at < times; at += 1) await sql`select ${at}::int`.execute(tx);
    });
  await ask(emptyStatements / 4);
  const [asker, postgres] = [process.cpuUsage(), meter()];
  await ask(emptyStatements);
  const { user, system } = process.cpuUsage(asker);
  return {
    asker: (user + system) / 1_000 / emptyStatements,
    postgres: postgres() / emptyStatements,
  };
}

/**
 * B20: what an exchange that carries an interest costs the server and PostgreSQL: with one interest, with fifty, with
 * five hundred. The device has everything before, and is answered its own interest and the job.
 */
export const oneInterest: Workload = {
  ids: ['B20'],
  async run(fixture) {
    const { server, database, tradies } = await openServerWorld(fixture, 20_000);
    await holdEffects(database);
    const { rows: jobs } = await sql<{
      id: string;
    }>`select id from jobs where status = 'active' order by md5(id::text)`.execute(database.sql);
    const { rows: own } = await sql<{
      pid: number;
      name: string;
    }>`select pg_backend_pid() as pid, current_database() as name`.execute(database.sql);
    const { pid, name } = own[0]!;
    const postmaster = parentOf(pid);
    const meter = () => meterDatabase(postmaster, name);
    const phones = tradies.slice(0, devices).map((person) => createDevice(server.port, person));
    let next = 0;
    const used = { node: 0, postgres: 0 };

    /** One device's turn: milliseconds of CPU are added to `used`. */
    async function take(phone: (typeof phones)[number], exchanges: number, size: number): Promise<void> {
      await phone.begin();
      const [node, postgres] = [threadCpuMs(server.pid()), meter()];
      for (let at = 0; at < exchanges; at += 1) {
        const taken = Array.from({ length: size }, (_, and) => jobs[(next + and) % jobs.length]!.id);
        next += size;
        await phone.express(taken);
      }
      used.node += threadCpuMs(server.pid()) - node;
      used.postgres += postgres();
      phone.end();
    }

    const measures: Measure[] = [];
    const empty: { asker: number; postgres: number }[] = [];
    for (let run = 0; run < fixture.runs; run += 1) empty.push(await emptyStatement(database, meter));
    for (const [size, exchanges] of [
      [1, turn],
      [50, 1],
      [500, 1],
    ] as const) {
      const phonesHere = size === 500 ? phones.slice(0, 2) : phones;
      fixture.say(`${size} to an exchange`);
      const node: number[] = [];
      const postgres: number[] = [];
      // The first run is for the caches.
      for (let run = -1; run < fixture.runs; run += 1) {
        Object.assign(used, { node: 0, postgres: 0 });
        for (const phone of phonesHere) await take(phone, exchanges, size);
        if (run < 0) continue;
        const interests = phonesHere.length * exchanges * size;
        node.push(used.node / interests);
        postgres.push(used.postgres / interests);
      }
      const words =
        size === 1 ? 'an interest that has its exchange to itself' : `each of ${size} interests in one exchange`;
      measures.push(
        measure({
          id: 'B20',
          name: `CPU of the server process for ${words}`,
          unit: 'ms',
          runs: node,
          target: { words: '<= 0.7 ms', max: 0.7 },
        }),
        measure({
          id: 'B20',
          name: '… of PostgreSQL, its connections',
          unit: 'ms',
          runs: postgres,
          target: { words: '<= 0.3 ms', max: 0.3 },
        }),
      );
    }
    return [
      ...measures,
      measure({
        id: 'B20',
        name: '… of a statement that does nothing, the process that asks',
        unit: 'ms',
        runs: empty.map(({ asker }) => asker),
      }),
      measure({ id: 'B20', name: '… PostgreSQL', unit: 'ms', runs: empty.map(({ postgres }) => postgres) }),
    ];
  },
};
