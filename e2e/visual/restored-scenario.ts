import { must } from '../../shared/lib/must.ts';
import { signedIn } from '../account.ts';
import { backUp, putBack } from '../operate.ts';
import { demo } from '../person.ts';
import { asDemo } from './homeowner-scenario.ts';
import type { Scenario } from './screen-state.ts';

const title = 'New ridge capping on the woolshed';
const description = 'Thirty metres, and the old one is rusted through.';
let jobId = '';

/**
 * The database is put back to a copy of before a job was posted elsewhere, a tradie was interested in it here, and one
 * more job of theirs was posted elsewhere: what was sent from here waits, what only others had is named.
 */
export const restoredScenario: Scenario = {
  name: 'tradie after a restore',
  prepare: async (fixture) => {
    const { page, wire, server } = fixture;
    await asDemo('trialing')(fixture);
    const backup = await backUp(server);
    const [owner, elsewhere] = await Promise.all(
      ['homeowner', 'trialing'].map((name) => signedIn(server, demo(name).email, demo(name).password)),
    );
    const job = { description, locationId: 'southland/winton', urgency: 'soon', categoryId: 'builder' };
    await must(owner, 'the homeowner').post('/api/jobs', { ...job, title });
    await must(elsewhere, 'the tradie').post('/api/jobs', { ...job, title: 'Wash down the shop front' });
    const jobs = await must(owner, 'the homeowner').get<{ id: string; title: string }[]>('/api/jobs?type=my-jobs');
    jobId = must(
      jobs.find((one) => one.title === title),
      title,
    ).id;
    await page.goto(`${wire.url}/job/${jobId}`);
    await page.getByRole('button', { name: 'Express Interest' }).click();
    await page.getByText('You have expressed interest in this job').waitFor();
    await page.getByText('Saved on this phone').waitFor({ state: 'detached' });
    await page.goto(`${wire.url}/dashboard`);
    await page.getByText('Wash down the shop front').waitFor();
    await putBack(server, backup);
    await page.goto(`${wire.url}/waiting`);
    await page.getByText('Being restored').first().waitFor();
  },
  screens: [
    {
      name: 'restored',
      at: '/dashboard',
      shows: 'Dwang was put back to an earlier copy',
      isWindow: true,
      isAlsoTiny: true,
      // Once it is read, it stays away.
      leave: ({ page }) => page.getByRole('button', { name: 'Dismiss' }).click(),
    },
    { name: 'waiting-restored', at: '/waiting', shows: 'Being restored', isAlsoTiny: true },
    { name: 'job-restored', at: () => `/job/${jobId}`, shows: 'Being restored', isAlsoTiny: true },
    { name: 'dashboard-restored', at: '/dashboard', shows: 'Being restored', isAlsoTiny: true },
    { name: 'status-restored', at: '/health', shows: 'If the database were lost', isAlsoTiny: true },
  ],
};
