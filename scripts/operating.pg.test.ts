import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { must } from '../shared/lib/must.ts';
import { protocolVersion, schemaVersion } from '../shared/protocol/version.ts';
import { readConfig } from '../sync-server/lib/config.ts';
import type { Database } from '../sync-server/db/database.ts';
import { openPostgres } from '../sync-server/db/open-postgres.ts';
import { openInstance, type Instance } from '../simulate/stress/instance.ts';
import { writeDeadLetter } from '../sync-server/sync/attempts.ts';
import type { Safety } from '../sync-server/ops/health/safety.ts';
import { createSqlStore } from '../sync-server/store/sql-store.ts';
import { post } from '../sync-server/testing/sync-harness.ts';
import { runBeside } from '../sync-server/testing/start-postgres.ts';
import { freshPostgres } from '../sync-server/testing/test-postgres.ts';
import { filledIn, followRunbook } from './follow-runbook.ts';
import { commandsUnder, type Heading } from './runbook-commands.ts';

/*
 * The commands of docs/operate.md and docs/deploy, taken from those pages and run as written, twice in a row, beside a
 * running server on a real PostgreSQL. Backup and restore: runbooks.pg.test.ts.
 */

/** Each command is a process of its own; on a busy machine that takes seconds. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const page = 'docs/operate.md';
const email = 'homeowner@demo.nz';

let home: string;
let postgres: Awaited<ReturnType<typeof freshPostgres>>;
let database: Database;
let server: Instance;
let env: Record<string, string>;
/** What following the page for an empty database said, each time. */
const onEmpty: string[] = [];
let person: { id: string; token: string };

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'dwang-operating-'));
  postgres = await freshPostgres();
  // The database is empty, as a provider delivers it.
  const name = new URL(postgres.url).pathname.slice(1);
  await runBeside(postgres.url, `drop database ${name}`);
  await runBeside(postgres.url, `create database ${name}`);
  env = { DATABASE_URL: postgres.url, DATA_DIR: join(home, 'data'), LOG_LEVEL: 'info', DEMO: '1' };
  for (let n = 0; n < 2; n += 1)
    onEmpty.push(await followRunbook('docs/deploy/README.md', 'PostgreSQL', { env, places: {} }));
  database = await openPostgres({ url: postgres.url });
  server = await openInstance(env);
  await server.start();
  const signedIn = await fetch(`${server.origin}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    body: JSON.stringify({ email, password: 'demo-password' }),
  });
  const { access_token: token, user } = (await signedIn.json()) as { access_token: string; user: { id: string } };
  person = { id: user.id, token };
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await database?.close();
  await postgres?.drop();
  await rm(home, { recursive: true, force: true });
});

const follow = (heading: Heading<typeof page>, places: Record<string, string> = {}) =>
  followRunbook(page, heading, { env, places: { email, ...places } });

async function makeDeadLetter(title: string) {
  const mutation = post({ title });
  await writeDeadLetter(
    { store: createSqlStore(database), clock: () => new Date() },
    person.id,
    mutation,
    new Error('said by the test'),
  );
  return { mutation, places: { user: person.id, uid: mutation.uid } };
}

const jobsCalled = async (title: string) =>
  (await sql<{ title: string }>`select title from jobs where title = ${title}`.execute(database.sql)).rows.length;

test('an empty database is brought to this version and found whole; the second time there is nothing to do', () => {
  expect(onEmpty).toEqual([
    expect.stringMatching(/^[^]*Applied [^]*Nothing is missing\.\n$/),
    expect.stringMatching(/^[^]*Nothing to do\.[^]*Nothing is missing\.\n$/),
  ]);
});

test('an admin token is made that the server accepts, another one each time', async () => {
  const tokens = [await follow('Where to look'), await follow('Where to look')].map((printed) => printed.trim());
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(readConfig({ ADMIN_TOKEN: token }).adminToken).toBe(token);
});

test('what is not safe is counted as the page about backups says: without a source everything, and no restore', async () => {
  const printed = await followRunbook('docs/backup.md', 'What is safe, and what came back', { env, places: {} });
  const safety = JSON.parse(printed.slice(printed.indexOf('{'))) as Safety;
  expect(safety).toMatchObject({ by: null, safeSince: null, notSafe: expect.any(Number) as number, restore: null });
});

test('two dead letters are decided as the page says, one after the other, each once; one that cannot succeed is discarded, once', async () => {
  for (const title of ['Hang the gate', 'Hang the other gate']) {
    const { mutation, places } = await makeDeadLetter(title);
    const printed = await follow('A dead letter', places);
    expect(printed).toContain(`--user ${person.id} --uid ${mutation.uid}`);
    expect(printed).toContain(title);
    expect(await jobsCalled(title)).toBe(1);
  }
  const { places } = await makeDeadLetter('Hang the last gate');
  await follow('A dead letter that nothing can come of', places);
  await expect(follow('A dead letter that nothing can come of', places)).rejects.toThrow(
    'Nothing waits under this uid',
  );
  expect(await jobsCalled('Hang the last gate')).toBe(0);
});

test('one change is followed from the request to its row and to its outcome, with what the log says', async () => {
  const sent = post({ title: 'Follow the gate' });
  const body = {
    protocol: protocolVersion,
    schema: schemaVersion,
    userId: person.id,
    cookie: null,
    shelves: {},
    mutations: [sent],
    awaiting: [],
  };
  const headers = {
    authorization: `Bearer ${person.token}`,
    'content-type': 'application/json',
    'x-device-id': 'device-0001',
    'x-request-id': 'phone-0001-r1',
  };
  expect(
    (await fetch(`${server.origin}/api/sync`, { method: 'POST', headers, body: JSON.stringify(body) })).status,
  ).toBe(200);
  const log = join(home, 'server.log');
  await expect.poll(() => server.said()).toContain(sent.uid);
  await writeFile(log, server.said());
  const heading = 'Follow one change from the phone to its row';
  for (let n = 0; n < 2; n += 1) {
    const line = JSON.parse(await follow(heading, { uid: sent.uid, log })) as { mutations: string[] };
    const row = must(
      line.mutations.map((words) => words.split(' ')).find(([, uid]) => uid === sent.uid),
      'the change',
    )[2]!;
    const statements = commandsUnder(page, heading, 'sql').map((statement) =>
      filledIn(statement, { row, uid: sent.uid }),
    );
    const found = await Promise.all(
      statements.map(
        async (statement) => (await sql.raw<Record<string, unknown>>(statement).execute(database.sql)).rows,
      ),
    );
    expect(found).toEqual([
      [expect.objectContaining({ id: sent.args.id, title: 'Follow the gate' })],
      [expect.objectContaining({ uid: sent.uid, status: 'applied' })],
    ]);
  }
});

test('the state of a person’s sync is shown, without contact details, twice in a row', async () => {
  for (let n = 0; n < 2; n += 1) {
    const printed = await follow('A person says it does not sync');
    expect(JSON.parse(printed.slice(printed.indexOf('\n{')))).toMatchObject({ person: { id: person.id } });
    expect(printed.replace(/^> .*$/gm, '')).not.toContain(email);
  }
});

test('a person’s data is written for one reader, and never over what is there', async () => {
  const heading = 'A person asks what we hold about them (Privacy Act 2020, principle 6)';
  const file = join(home, 'export.json');
  await follow(heading, { file });
  const written = await readFile(file, 'utf8');
  expect(JSON.parse(written)).toMatchObject({ person: { id: person.id, email } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(follow(heading, { file })).rejects.toThrow('Nothing was written');
  expect(await readFile(file, 'utf8')).toBe(written);
});

test('what is past its retention is counted and then deleted; the second time nothing is', async () => {
  await sql`insert into admin_audit (at, action, request_id, result) values (now() - interval '3 years', 'backup.take', 'test', 'done')`.execute(
    database.sql,
  );
  const countsOf = (printed: string) => [...printed.matchAll(/^ *(\d+) {2}audit /gm)].map(([, count]) => Number(count));
  expect(countsOf(await follow('What is forgotten, and when'))).toEqual([1, 1]);
  expect(countsOf(await follow('What is forgotten, and when'))).toEqual([0, 0]);
});
