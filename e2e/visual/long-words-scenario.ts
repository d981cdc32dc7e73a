import { must } from '../../shared/lib/must.ts';
import { signedIn } from '../account.ts';
import { demo } from '../person.ts';
import { asDemo } from './homeowner-scenario.ts';
import type { Scenario, Fixture } from './screen-state.ts';

/** Sixty letters without a place to break, as in a link or after a slip of the thumb on the space bar. */
const word = 'Spoutingdownpipesflashingsandeverythingelsethatkeepsrainouts';
const business = 'Rangitīkei Roofing & Spouting';
const job = 'Spouting and downpipes on the back of the house';

/** Through the API: the job, and the business that is interested in it, get such names. */
async function callEverythingSo({ server, ids }: Fixture): Promise<void> {
  const [owner, tradie] = await Promise.all(
    ['homeowner', 'tradie'].map((name) => signedIn(server, demo(name).email, demo(name).password)),
  );
  await must(owner, 'the homeowner').patch(`/api/jobs/${ids.jobId(job)}`, {
    title: word,
    description: `${word} ${word}`,
  });
  await must(tradie, 'the tradie').patch(`/api${ids.tradie(business).replace('/tradie/', '/tradies/')}`, {
    businessName: word,
    businessAddress: word,
    contactPersonFirstName: word,
    description: `${word} ${word}`,
  });
}

/** Words that are longer than the screen is wide, as the homeowner sees them. */
export const longWordsScenario: Scenario = {
  name: 'long words',
  prepare: async (fixture) => {
    await callEverythingSo(fixture);
    await asDemo('homeowner')(fixture);
  },
  screens: [
    { name: 'dashboard-long', at: '/dashboard', shows: word, isAlsoTiny: true },
    { name: 'job-owner-long', at: (ids) => ids.job(job), shows: `${word} ${word}`, isAlsoTiny: true },
    { name: 'edit-job-long', at: ({ jobId }) => `/edit-job/${jobId(job)}`, shows: 'To save' },
    { name: 'find-tradies-long', at: '/find-tradies', shows: word, isAlsoTiny: true },
    { name: 'tradie-long', at: (ids) => ids.tradie(business), shows: `${word} ${word}`, isAlsoTiny: true },
  ],
};

/** The same words, as the tradie sees them. */
export const longWordsForTradieScenario: Scenario = {
  name: 'long words for the tradie',
  prepare: asDemo('tradie'),
  screens: [
    { name: 'find-jobs-long', at: `/find-jobs?q=${word}`, shows: '1 job', isAlsoTiny: true },
    { name: 'job-tradie-long', at: (ids) => ids.job(job), shows: `${word} ${word}` },
    { name: 'edit-tradie-long', at: '/edit-tradie', shows: 'This uses your account email address' },
  ],
};
