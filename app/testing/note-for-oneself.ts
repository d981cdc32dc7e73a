import { makeTestId } from '../../shared/testing/make.ts';
import type { Phone } from './open-device-harness.ts';

/** What a tradie's phone holds for its person alone: marks on two jobs of the feed, saved searches, a prepared note. */
export async function noteForOneself(phone: Phone, [feed, closing]: readonly [string, string]): Promise<void> {
  await phone.sync.mutate('job.mark', { id: makeTestId(), jobId: closing, title: 'Cut the hedge', hidden: true });
  await phone.sync.mutate('job.mark', {
    id: makeTestId(),
    jobId: feed,
    title: 'Shift a piano',
    shortlisted: true,
    remindAt: '2026-12-01T07:00:00.000Z',
  });
  const search = {
    name: 'Pianos',
    categoryIds: ['spouting'],
    region: 'Southland',
    locationId: 'southland/winton',
    withinKm: 40,
    maxBudget: 5_000,
    urgencies: ['urgent' as const],
    words: 'piano',
  };
  const [kept, gone] = [makeTestId(), makeTestId()];
  await phone.sync.mutate('search.save', { id: kept, ...search, lookedUntil: '2026-11-01T07:00:00.000Z' });
  await phone.sync.mutate('search.save', { id: gone, ...search, name: 'Organs' });
  await phone.sync.mutate('search.edit', { id: kept, set: { words: '' }, base: { words: 'piano' } });
  await phone.sync.mutate('search.move', { id: gone, before: kept });
  await phone.sync.mutate('search.look', { id: kept, until: '2026-11-02T07:00:00.000Z' });
  await phone.sync.mutate('search.remove', { id: gone });
  await phone.sync.mutate('note.prepare', { id: phone.userId, add: 'I could come on Thursday.' });
}
