import { delimiter } from 'node:path';
import { expect } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { postgresWithTools } from '../sync-server/testing/postgres-with-tools.ts';
import { runBeside, startPostgres, type Postgres } from '../sync-server/testing/start-postgres.ts';
import { signedIn } from './account.ts';
import { long } from './test-options.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { backUp, putBack } from './operate.ts';
import { demo, postJob, signIn } from './person.ts';
import { timeoutMs } from './timeout-ms.ts';
import { test } from './shared-server.ts';

/*
 * A PostgreSQL of its own is put back to an earlier backup by the operator's commands while phones have gone on: what
 * they brought comes back, once and in its order over two phones, and what was made on a phone that is gone is named in
 * one sentence.
 */

const brought = 'Brought back by its phone';
const nobodys = 'Made on a phone that is gone';

const tools = postgresWithTools();
test.describe.configure({ mode: 'serial' });

let postgres: Postgres | undefined;
let server: RunningServer | undefined;
const devices: Device[] = [];
/** A homeowner's two phones, and a tradie's. */
let owner: Device;
let lost: Device;
let tradie: Device;

const url = () => must(server, 'server').url;

test.beforeAll(async () => {
  test.info().skip(tools === undefined && process.env['CI'] === undefined, 'This machine has no PostgreSQL.');
  const { native } = must(tools, 'PostgreSQL with pg_dump and pg_restore: apt-get install postgresql');
  postgres = await startPostgres({ isDurable: false, native });
  const database = postgres.urlOf('dwang');
  await runBeside(database, 'create database dwang');
  server = await openServer({ DATABASE_URL: database });
  for (let at = 0; at < 3; at += 1) devices.push(await openDevice(url()));
  [owner, lost, tradie] = devices as [Device, Device, Device];
});
test.afterAll(async () => {
  for (const device of devices) await device.close();
  await server?.close();
  await postgres?.stop();
});

/** Of the operator's commands: PostgreSQL's own programs, and the database. */
const environment = () => ({
  PATH: [must(tools, 'tools').bin, process.env['PATH']].join(delimiter),
  DATABASE_URL: must(postgres, 'PostgreSQL').urlOf('dwang'),
});

async function jobsAtServer(): Promise<{ id: string; title: string; interestCount: number }[]> {
  const { email, password } = demo('homeowner');
  const { get } = await signedIn(must(server, 'server'), email, password);
  const all = await get<{ id: string; title: string; interestCount: number }[]>('/api/jobs?type=my-jobs');
  return all.filter(({ title }) => title === brought || title === nobodys);
}
const counts = async () => (await jobsAtServer()).map(({ title, interestCount }) => `${title}: ${interestCount}`);

async function express(jobId: string): Promise<void> {
  await tradie.page().goto(`${url()}/job/${jobId}`);
  await tradie.page().getByRole('button', { name: 'Express Interest' }).click();
  await tradie.page().getByText('You have expressed interest in this job').waitFor();
}

test('after a backup two phones post jobs, and a tradie is interested in both', long, async () => {
  await signIn(owner.page(), demo('homeowner'));
  await signIn(lost.page(), demo('homeowner'));
  await signIn(tradie.page(), demo('tradie'));
  const backup = await backUp(must(server, 'server'), environment());

  await postJob(owner.page(), brought);
  await postJob(lost.page(), nobodys);
  await expect.poll(async () => (await jobsAtServer()).length, { timeout: timeoutMs }).toBe(2);
  for (const { id } of await jobsAtServer()) await express(id);
  await expect.poll(counts, { timeout: timeoutMs }).toEqual(expect.arrayContaining([`${brought}: 1`, `${nobodys}: 1`]));
  // Both have received everything of it.
  await owner.page().goto(`${url()}/dashboard`);
  await owner.page().getByText(nobodys).first().waitFor();

  await owner.setSignal(false);
  await lost.close();
  await putBack(must(server, 'server'), backup, environment());
  expect(await jobsAtServer()).toEqual([]);
});

test(
  '[C16, S13] a tradie’s interest waits for the phone that posted the job, all comes back once, and what no phone brought is told',
  long,
  async () => {
    const page = tradie.page();
    await page.goto(`${url()}/waiting`);
    await expect(page.getByText('Being restored')).toHaveCount(2, { timeout: timeoutMs });
    expect(await jobsAtServer()).toEqual([]);

    await owner.setSignal(true);
    await expect.poll(counts, { timeout: timeoutMs }).toEqual([`${brought}: 1`]);
    await expect(page.getByText('Being restored')).toHaveCount(1, { timeout: timeoutMs });
    await owner.page().goto(`${url()}/dashboard`);
    await owner.page().getByText(brought).first().waitFor();
    await expect(owner.page().getByText(/^1 item newer than that is gone from this phone/)).toHaveCount(1);
    // Over the page, which does not move for it.
    await expect(owner.page().locator('[data-over]')).toHaveCSS('position', 'fixed');
    await expect(owner.page().getByText(nobodys)).toHaveCount(0);
    expect(await counts()).toEqual([`${brought}: 1`]);
  },
);
