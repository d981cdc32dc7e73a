import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepPushedJobs } from './keep-pushed-jobs.ts';
import { makeFeedJob } from './testing/build-snapshot.ts';
import { jobs, openFixedFeed, still } from './testing/fixed-feed.ts';

/* A job that came with an alert, opened without signal. */

let device: Awaited<ReturnType<typeof openFixedFeed>>;
let timeline: string;
beforeEach(async () => {
  device = await openFixedFeed();
  await device.whole('40');
  timeline = String((await device.personDb.shelfStates.get('feed'))?.timeline);
});
afterEach(() => device.close());

const push = (version: string, ...rows: ReturnType<typeof makeFeedJob>[]) =>
  keepPushedJobs(device.personDb, { feed: { version, timeline }, jobs: rows });

describe('a job that came with an alert', () => {
  test('is in the feed of an app that is open, and of one that is opened later', async () => {
    const memory = device.open();
    await still();
    const job = makeFeedJob();
    expect(await push('45', job)).toBe(1);
    await still();
    expect(memory.find(job.id)).toEqual(job);
    const later = device.open();
    await still();
    expect(later.find(job.id)).toEqual(job);
  });

  test('is brought whole by the next answer, or taken away where it has closed meanwhile', async () => {
    const memory = device.open();
    const [cut, closed] = [makeFeedJob({ description: 'About 14 m…' }), makeFeedJob()];
    await push('45', cut, closed);
    const whole = { ...cut, description: 'About 14 metres, single storey.' };
    await device.take({ puts: [whole], removes: [closed.id], version: '50' }, '40');
    await still();
    expect([memory.find(cut.id), memory.find(closed.id)]).toEqual([whole, undefined]);
  });

  test('hides no change of an answer that was under way when it came', async () => {
    const memory = device.open();
    const [job, answered] = [makeFeedJob(), makeFeedJob()];
    await push('45', job);
    await still();
    await device.take({ puts: [answered], removes: [], version: '42' }, '40');
    await still();
    expect([memory.find(job.id), memory.find(answered.id)]).toEqual([job, answered]);
  });

  test('cut to fit a message, takes the place of none that is here whole', async () => {
    const memory = device.open();
    const whole = makeFeedJob({ description: 'About 14 metres, single storey.' });
    await device.take({ puts: [whole], removes: [], version: '42' }, '40');
    const cut = { ...whole, description: 'About 14 m…' };
    const feed = { version: '45', timeline };
    expect(await keepPushedJobs(device.personDb, { feed, jobs: [cut], versions: ['42'] })).toBe(0);
    await still();
    expect(memory.find(whole.id)).toEqual(whole);
    expect(await keepPushedJobs(device.personDb, { feed, jobs: [cut], versions: ['43'] })).toBe(1);
  });

  test('leaves with the changes below a newer snapshot', async () => {
    const memory = device.open();
    const job = makeFeedJob();
    await push('45', job);
    await device.whole('50');
    await still();
    expect(memory.find(job.id)).toBeUndefined();
  });

  test.each([
    ['the device knows as much already', '40', undefined],
    ['it is of another timeline', '45', 'another'],
  ])('is not kept where %s: a late message brings no closed job back', async (_why, version, other) => {
    const job = makeFeedJob();
    const feed = { version, timeline: other ?? timeline };
    expect(await keepPushedJobs(device.personDb, { feed, jobs: [job] })).toBe(0);
  });

  test('never takes the place of what the server said later', async () => {
    const memory = device.open();
    const job = jobs[3]!;
    await push('60', { ...job, title: 'newer' });
    await push('50', { ...job, title: 'older' });
    await still();
    expect(memory.find(job.id)).toMatchObject({ title: 'newer' });
  });

  test('is not kept where the right to the feed has ended', async () => {
    const state = await device.personDb.shelfStates.get('feed');
    await device.personDb.shelfStates.put({ ...state!, denied: true });
    expect(await push('45', makeFeedJob())).toBe(0);
  });
});
