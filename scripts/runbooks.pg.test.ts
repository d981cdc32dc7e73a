import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../sync-server/db/open-database.ts';
import type { Database } from '../sync-server/db/database.ts';
import { openPglite } from '../sync-server/db/open-pglite.ts';
import { insertRows } from '../sync-server/db/write-rows.ts';
import { must } from '../shared/lib/must.ts';
import { makeUser } from '../shared/testing/make.ts';
import { pgliteTemplate } from '../sync-server/testing/pglite-template.ts';
import { postgresWithTools } from '../sync-server/testing/postgres-with-tools.ts';
import { readBackup } from '../sync-server/backup/backup-folder.ts';
import { runBeside, startPostgres, type Postgres } from '../sync-server/testing/start-postgres.ts';
import { followRunbook } from './follow-runbook.ts';
import { toolEnv } from './installed.mjs';
import type { Heading } from './runbook-commands.ts';

/*
 * The commands that the pages for operators name, taken from those pages and run as written: by the shell, which stops
 * at the first error, against embedded data and a real PostgreSQL of its own with its own pg_dump and pg_restore.
 */

/** Each command is a process of its own; on a busy machine that takes seconds. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const page = 'docs/backup.md';
const tools = postgresWithTools();

/** Under CI nothing may be left out, and what is missing says so in a line of its own. */
const isCi = ['true', '1'].includes(process.env['CI'] ?? '');
const withoutTools =
  'This machine has no pg_dump, pg_restore and postgres of one version, which the runbooks for PostgreSQL need: install PostgreSQL (apt-get install postgresql).';

let server: Postgres | undefined;
let home: string;
let env: Record<string, string>;
let places: Record<string, string>;

beforeAll(async () => {
  if (tools !== undefined) server = await startPostgres({ isDurable: false, native: tools.native });
});
afterAll(() => server?.stop());

/** Follows the commands under a heading, with PostgreSQL's programs on the PATH; returns what they printed. */
async function follow(heading: Heading<typeof page>): Promise<string> {
  const path = [...(tools === undefined ? [] : [tools.bin]), must(toolEnv().PATH, 'PATH')].join(delimiter);
  const printed = await followRunbook(page, heading, { env: { ...env, PATH: path }, places });
  const copied = /^Copied to (.*), and read there\.$/m.exec(printed)?.[1];
  if (copied !== undefined) places['folder'] = copied;
  return printed;
}

const photo = () => join(home, 'data/storage/objects/aa', 'aa-a-photo-beside-the-database');

test.skipIf(tools === undefined && !isCi)('this machine has the programs that the runbooks for PostgreSQL run', () => {
  expect(tools, withoutTools).toBeDefined();
});

const kinds = ['embedded', ...(tools === undefined ? [] : (['postgres'] as const))] as const;
for (const kind of kinds)
  describe(`the runbook for backup and restore, on ${kind}`, () => {
    const config = () => ({ dataDir: must(env['DATA_DIR'], 'DATA_DIR'), databaseUrl: env['DATABASE_URL'] });
    const withDatabase = async <T>(look: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase(config());
      try {
        return await look(database);
      } finally {
        await database.close();
      }
    };
    const state = () =>
      withDatabase(async (database) => {
        const { rows: people } = await sql<{ email: string }>`select email from users order by email`.execute(
          database.sql,
        );
        const {
          rows: [meta],
        } = await sql<{ lineage: string; key: string }>`select lineage, cookie_key as key from sync_meta`.execute(
          database.sql,
        );
        return { people: people.map(({ email }) => email), ...must(meta, 'sync_meta') };
      });
    const signUp = (email: string) =>
      withDatabase((database) => insertRows(database.sql, 'users', [makeUser({ email })]));
    const databasesThere = async () => {
      const beside = await openDatabase({ dataDir: home, databaseUrl: must(server, 'server').urlOf('postgres') });
      const { rows } = await sql<{
        datname: string;
      }>`select datname from pg_database where datname like 'dwang%' order by 1`.execute(beside.sql);
      await beside.close();
      return rows.map(({ datname }) => datname);
    };
    /** What the restores have moved out of the way. */
    const setAside = async () =>
      kind === 'postgres'
        ? (await databasesThere()).filter((name) => name !== 'dwang')
        : (await readdir(join(home, 'data'))).filter((name) => name.startsWith('before'));

    const begin = (folder: string) => {
      home = folder;
      env = { DATA_DIR: join(home, 'data'), DEMO: '0', LOG_LEVEL: 'silent' };
      places = { elsewhere: join(home, 'another machine') };
      if (kind === 'postgres') env['DATABASE_URL'] = must(server, 'server').urlOf('dwang');
    };
    const runOnServer = (statement: string) => runBeside(must(server, 'server').urlOf('dwang'), statement);

    /** One day of one server, with the copy of it that the page's commands made: each test goes on from there. */
    let made: string;
    beforeAll(async () => {
      made = await mkdtemp(join(tmpdir(), 'dwang-runbook-made-'));
      begin(made);
      await mkdir(places['elsewhere']!);
      await mkdir(join(home, 'data'));
      if (kind === 'embedded')
        await (await openPglite({ dataDir: join(home, 'data/database'), template: await pgliteTemplate() })).close();
      else await runOnServer('create database dwang');
      await withDatabase((database) => database.migrate());
      await signUp('before@example.nz');
      await mkdir(join(photo(), '..'), { recursive: true });
      await writeFile(photo(), 'a photo');
      await follow('Back up');
      if (!must(places['folder'], 'folder').startsWith(places['elsewhere']!))
        throw new Error('The copy lies elsewhere.');
      // From now on the copy elsewhere is all that there is.
      await rm(join(home, 'data/backups'), { recursive: true });
      if (kind === 'postgres') await runOnServer('alter database dwang rename to made');
    });
    afterAll(() => rm(made, { recursive: true, force: true }));

    beforeEach(async () => {
      const copy = basename((await readdir(join(made, 'another machine')))[0]!);
      begin(await mkdtemp(join(tmpdir(), 'dwang-runbook-')));
      await cp(made, home, { recursive: true });
      places['folder'] = join(places['elsewhere']!, copy);
      if (kind === 'embedded') return;
      for (const name of await databasesThere()) await runOnServer(`drop database "${name}" with (force)`);
      await runOnServer('create database dwang template made');
    });
    afterEach(() => rm(home, { recursive: true, force: true }));

    test.each(kind === 'postgres' ? ['dwang_restoring_20261101000000000'] : [])(
      'removes %s, the copy of everybody’s data that a killed restore has left behind',
      async (leftBehind) => {
        await runOnServer(`create database ${leftBehind} template made`);
        await runOnServer('create database dwang_restoring_notes');
        await follow('Restore');
        expect((await setAside()).filter((name) => name.includes('restoring'))).toEqual(['dwang_restoring_notes']);
      },
    );

    test('brings back what was there, photos too, with a new timeline, and can be followed twice in a row', async () => {
      const first = await state();
      const timelines = new Set([first.lineage]);
      const { headVersion } = (await readBackup(must(places['folder'], 'folder'), kind)).manifest;
      for (const email of ['after@example.nz', 'again@example.nz']) {
        await signUp(email);
        await rm(photo());
        const printed = await follow('Restore');
        expect(printed).toContain('What was there until now is in');
        expect(printed).toContain(`It has ${first.lineage} up to version ${headVersion}.`);
        const { people, lineage } = await state();
        expect(people).toEqual(['before@example.nz']);
        timelines.add(lineage);
        expect(await readFile(photo(), 'utf8')).toBe('a photo');
      }
      expect(timelines.size).toBe(3);
      const aside = expect.stringMatching(kind === 'postgres' ? /^dwang_before_\d{17}$/ : /^before-restore-/) as string;
      expect(await setAside()).toEqual([aside, aside]);
    });

    test('a backup without what phones were told to be safe, and keep no more, is refused unless the loss is named', async () => {
      env['SAFE_BY'] = 'backup';
      const older = must(places['folder'], 'folder');
      await signUp('safe@example.nz');
      await follow('Back up');
      const newer = must(places['folder'], 'folder');
      places['folder'] = older;
      // A new timeline knows of nothing safe of its own yet.
      await follow('Restored by other means');
      await expect(follow('Restore')).rejects.toThrow('--lose-what-was-safe');
      expect((await state()).people).toEqual(['before@example.nz', 'safe@example.nz']);
      places['folder'] = newer;
      expect(await follow('Restore')).toContain('What was there until now is in');
      const path = [...(tools === undefined ? [] : [tools.bin]), must(toolEnv().PATH, 'PATH')].join(delimiter);
      const nevertheless = ['scripts/ops.ts', 'restore', '--from', older, '--lose-what-was-safe'];
      await promisify(execFile)(process.execPath, nevertheless, { env: { ...process.env, ...env, PATH: path } });
      expect((await state()).people).toEqual(['before@example.nz']);
    });

    test('a restore by other means is said twice in a row, and each time a new timeline begins', async () => {
      const timelines = new Set([(await state()).lineage]);
      for (let n = 0; n < 2; n += 1) {
        await follow('Restored by other means');
        timelines.add((await state()).lineage);
      }
      expect(timelines.size).toBe(3);
    });

    test('a copy that is used beside the original has a timeline and a key of its own, each time', async () => {
      const [timelines, keys] = [new Set<string>(), new Set<string>()];
      for (let n = 0; n < 3; n += 1) {
        if (n > 0) await follow('A copy beside the original');
        const { lineage, key } = await state();
        timelines.add(lineage);
        keys.add(key);
      }
      expect([timelines.size, keys.size]).toEqual([3, 3]);
    });

    // sync-server/embedded/backup.pg.test.ts does the same with embedded data.
    if (kind === 'embedded') return;

    test('a second backup is kept beside the first, and both are whole', async () => {
      await follow('Back up');
      const copies = await readdir(places['elsewhere']!);
      expect(copies).toHaveLength(2);
      for (const copy of copies) await readBackup(join(places['elsewhere']!, copy), kind);
    });

    test('stops while a client is connected, and changes nothing', async () => {
      const before = await state();
      const running = await openDatabase(config());
      await sql`select 1`.execute(running.sql);
      await expect(follow('Restore')).rejects.toThrow(/in use/);
      await running.close();
      expect(await state()).toEqual(before);
    });

    test('stops at a database that breaks off and at a missing file, begins no new timeline, and changes nothing', async () => {
      const before = await state();
      const folder = must(places['folder'], 'folder');
      const dump = join(folder, 'database.dump');
      const forgeChecksum = async (of: Uint8Array) => {
        const manifest = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as Record<string, unknown>;
        await writeFile(
          join(folder, 'backup.json'),
          JSON.stringify({ ...manifest, databaseSha256: createHash('sha256').update(of).digest('hex') }),
        );
      };
      const bytes = await readFile(dump);
      const cut = bytes.subarray(0, bytes.length - 2_000);
      await writeFile(dump, cut);
      await expect(follow('Restore')).rejects.toThrow('damaged or cut short');
      // As if it had been cut short before the checksum was taken: the restore itself then fails midway.
      await forgeChecksum(cut);
      const said = await follow('Restore').catch((error: Error) => error.message);
      expect(said).toMatch(/pg_restore failed, and nothing more was done/);
      expect(said).not.toMatch(/Restored|new timeline/);
      expect(await databasesThere()).toEqual(['dwang']);
      expect(await state()).toEqual(before);
      await writeFile(dump, bytes);
      await forgeChecksum(bytes);
      await rm(join(folder, 'objects/aa', (await readdir(join(folder, 'objects/aa')))[0]!));
      await expect(follow('Restore')).rejects.toThrow('1 of 1 files are missing');
      expect(await state()).toEqual(before);
    });
  });
