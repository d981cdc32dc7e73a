import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Delta, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { openCollections } from '../../sync-server/collections/collections.ts';
import type { Database } from '../../sync-server/db/database.ts';
import type { SyncLog } from '../../sync-server/sync/sync-parts.ts';
import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import { insertPeople } from '../../sync-server/db/seed/insert-rows.ts';
import { createSqlStore } from '../../sync-server/store/sql-store.ts';
import { hostedEnvironment, tokenFor } from '../../simulate/stress/hosted-sign-in.ts';
import { openInstance } from '../../simulate/stress/instance.ts';
import type { Fixture } from '../frame/fixture.ts';
import { measure, type Measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPlainClient, requestBytes, type PlainClient } from './plain-client.ts';
import { cpuMs } from './process-cost.ts';
import { regionName, seedRegions } from './seed-regions.ts';

const inOwnRegion = 10_000;
const changed = 200;
/** A device's CPU is shorter than the tick in which Linux counts. */
const newcomers = 20;

/** What one world's devices and builds cost. */
interface Costs {
  manifestBytes: number;
  firstSyncBytes: number;
  requests: number;
  serverMs: number;
  postgresMs: number;
  acrossBytes: number;
  ownBytes: number;
  /** What an app of before, which holds all, gets of the same two. */
  wholeManifestBytes: number;
  wholeAcrossBytes: number;
  builds: { firstS: number; firstMb: number; nextS: number; nextMs: number; nextSegments: number };
  sizesMb: Record<string, number>;
}

type Feed = Extract<Delta['shelves']['feed'], object>;

async function costsOf(fixture: Fixture, regions: number): Promise<Costs> {
  const { url } = await (await fixture.postgres()).createDatabase();
  const database = await openPostgres({ url });
  fixture.onClose(() => database.close());
  await database.migrate();
  fixture.say(`seeding ${(regions * inOwnRegion).toLocaleString('en-NZ')} jobs in ${regions} regions`);
  await seedRegions(database, url, { regions, jobsEach: inOwnRegion });
  const user = makeUser({ subscriptionStatus: 'active' });
  const tradie = makeTradie({ userId: user.id, locationId: `${regionName(0)}/0` });
  await database.transaction((tx) =>
    insertPeople(tx, { users: [{ ...user, tradieId: tradie.id }], tradies: [tradie] }),
  );
  fixture.say('building the first snapshot');
  const first = await build(database);

  const server = await openInstance({ ...hostedEnvironment, DATABASE_URL: url, LOG_LEVEL: 'warn' });
  await server.start();
  fixture.onClose(async () => void (await server.end('SIGTERM')));
  const client = await openPlainClient(server.port);
  const headers = { Authorization: `Bearer ${await tokenFor(user.id)}`, 'Accept-Encoding': 'gzip' };
  const exchange = async (question: Pick<ExchangeRequest, 'shelves' | 'timelines' | 'regions' | 'cookie'>) => {
    const request = { protocol: protocolVersion, schema: schemaVersion, userId: user.id, mutations: [], awaiting: [] };
    const text = JSON.stringify({ ...request, ...question });
    const { status, bytes, body } = await client.ask(requestBytes('POST', '/api/sync', headers, text));
    const isPacked = body[0] === 0x1f && body[1] === 0x8b;
    const plain = (isPacked ? gunzipSync(body) : body).toString();
    if (status !== 200) throw new Error(`answered ${status}: ${plain}`);
    const delta = JSON.parse(plain) as Delta;
    return { bytes, cookie: delta.cookie, feed: delta.shelves.feed as Feed };
  };
  const begin = async (held: string[] | undefined) => {
    const { bytes, cookie, feed } = await exchange({ cookie: null, shelves: { feed: null }, regions: held });
    if (!('manifest' in feed)) throw new Error('no manifest');
    return { bytes, cookie, manifest: feed.manifest };
  };
  const comeIn = async () => {
    const { bytes, manifest } = await begin([]);
    let received = bytes;
    for (const { hash } of manifest.segments) received += (await download(client, headers, hash)).bytes;
    return { manifest, bytes: received, requests: 1 + manifest.segments.length };
  };
  const { manifest, ...newcomer } = await comeIn();
  const cpu = await cpuOf(database, server.pid(), async () => {
    for (let at = 0; at < newcomers; at += 1) await comeIn();
  });
  const standing = (held: string[] | undefined) => ({
    shelves: { feed: manifest.version },
    timelines: { feed: manifest.timeline! },
    regions: held,
  });
  const whole = await begin(undefined);
  const from = { cookie: whole.cookie };
  await retitle(database, sql`true`);
  const across = await exchange({ ...from, ...standing(manifest.regions ?? []) });
  const wholeAcross = await exchange({ ...from, ...standing(undefined) });
  fixture.say('building the next snapshot');
  const next = await build(database);
  // From here on only what is in the own region changes.
  const after = await begin([]);
  await retitle(database, sql`location_id like ${`${regionName(0)}/%`}`);
  const own = await exchange({
    ...standing(after.manifest.regions ?? []),
    shelves: { feed: after.manifest.version },
    cookie: after.cookie,
  });
  if (putsIn(across.feed) === 0 || putsIn(wholeAcross.feed) !== changed || putsIn(own.feed) !== changed)
    throw new Error('not the changes that were made');
  client.close();
  const sizesMb = await sizesOf(database);
  await server.end('SIGTERM');
  return {
    manifestBytes: JSON.stringify(manifest).length,
    firstSyncBytes: newcomer.bytes,
    requests: newcomer.requests,
    serverMs: cpu.server / newcomers,
    postgresMs: cpu.postgres / newcomers,
    acrossBytes: across.bytes,
    ownBytes: own.bytes,
    wholeManifestBytes: JSON.stringify(whole.manifest).length,
    wholeAcrossBytes: wholeAcross.bytes,
    builds: {
      firstS: first.wallS,
      firstMb: first.mb,
      nextS: next.wallS,
      nextMs: next.cpuMs,
      nextSegments: next.segments,
    },
    sizesMb,
  };
}

const putsIn = (feed: Feed) => ('puts' in feed ? feed.puts.length : undefined);

const download = (client: PlainClient, headers: Readonly<Record<string, string>>, hash: string) =>
  client.ask(requestBytes('GET', `/api/sync/shelves/feed/${hash}`, { ...headers, 'Accept-Encoding': 'br' }));

/** Changes so many jobs in one transaction, as an operator would; until the server has heard of it. */
async function retitle(database: Database, where: ReturnType<typeof sql>): Promise<void> {
  await sql`update jobs set title = title || '.' where id in
    (select id from jobs where status = 'active' and ${where} order by md5(id::text) limit ${changed})`.execute(
    database.sql,
  );
  await new Promise((resolve) => setTimeout(resolve, 3_000));
}

let later = 0;

/** In this process, whose memory is looked at while it runs. */
async function build(database: Database): Promise<{ segments: number; wallS: number; cpuMs: number; mb: number }> {
  let segments = 0;
  const log = {
    info: (built: { shelf?: string; segments?: number }) => {
      if (built.shelf === 'feed') segments = built.segments ?? 0;
    },
    warn: () => undefined,
    error: () => undefined,
  };
  // Long enough after the last one that any change is built.
  later += 600_000;
  const clock = () => new Date(Date.now() + later);
  const collections = openCollections({ store: createSqlStore(database), clock, log: log as SyncLog });
  const rssBefore = process.memoryUsage.rss();
  let most = rssBefore;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
  const [began, used] = [performance.now(), process.cpuUsage()];
  await collections.buildDueSnapshots();
  const { user, system } = process.cpuUsage(used);
  clearInterval(looking);
  await collections.close();
  if (segments === 0) throw new Error('nothing was built');
  return {
    segments,
    wallS: (performance.now() - began) / 1_000,
    cpuMs: (user + system) / 1_000,
    mb: (most - rssBefore) / 2 ** 20,
  };
}

async function cpuOf(database: Database, server: number, work: () => Promise<void>) {
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`.execute(
    database.sql,
  );
  // A connection lives a minute: one that ended meanwhile is left out.
  const each = () =>
    new Map(
      rows.flatMap(({ pid }) => {
        try {
          return [[pid, cpuMs(pid)] as const];
        } catch {
          return [];
        }
      }),
    );
  const [own, theirs] = [cpuMs(server), each()];
  await work();
  const postgres = [...each()].reduce((sum, [pid, ms]) => sum + ms - (theirs.get(pid) ?? ms), 0);
  return { server: cpuMs(server) - own, postgres };
}

async function sizesOf(database: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; bytes: string }>`
    select c.relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relname in ('jobs', 'sync_change', 'shelf_segment', 'shelf_manifest')
    union all select c.relname, pg_relation_size(c.oid) from pg_class c
    where c.relname in ('jobs_open_in_town', 'sync_change_region', 'sync_change_audience', 'sync_change_shelf')`.execute(
    database.sql,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes) / 2 ** 20]));
}

/** B19: a device's cost goes with its regions, not with the country. One run each: seeding a million takes minutes. */
export const millionJobs: Workload = {
  ids: ['B19'],
  async run(fixture) {
    const small = await costsOf(fixture, 1);
    const large = await costsOf(fixture, 100);
    const row = (name: string, unit: string, of: (costs: Costs) => number, most?: number): Measure =>
      measure({
        id: 'B19',
        name,
        unit,
        runs: [of(large)],
        floors: [of(small)],
        ...(most !== undefined && { target: { words: `<= ${most} x 10,000 jobs`, maxOfFloor: most } }),
      });
    const alone = (name: string, unit: string, value: number) => measure({ id: 'B19', name, unit, runs: [value] });
    return [
      row('A million jobs in 100 regions, beside 10,000 in one: manifest', 'B', (of) => of.manifestBytes, 1.2),
      row('… first sync of the feed, as sent', 'B', (of) => of.firstSyncBytes, 1.2),
      row('… its requests', '', (of) => of.requests, 1.2),
      row('… CPU of the server for it', 'ms', (of) => of.serverMs, 1.5),
      row('… CPU of PostgreSQL for it', 'ms', (of) => of.postgresMs),
      row('… delta after 200 changes in the own region, as sent', 'B', (of) => of.ownBytes, 1.2),
      row('… delta after 200 changes across the country, as sent', 'B', (of) => of.acrossBytes, 1.2),
      row('… first build of a snapshot', 's', (of) => of.builds.firstS),
      row('… memory that it took more', 'MB', (of) => of.builds.firstMb),
      row('… build after 200 changes across the country', 's', (of) => of.builds.nextS),
      row('… CPU of the server for it', 'ms', (of) => of.builds.nextMs),
      row('… segments that it built', '', (of) => of.builds.nextSegments),
      alone('… manifest of an app of before, which holds all', 'B', large.wholeManifestBytes),
      alone('… its delta after the same 200 changes', 'B', large.wholeAcrossBytes),
      ...Object.entries(large.sizesMb).map(([name, mb]) => alone(`… size of ${name}`, 'MB', mb)),
    ];
  },
};
