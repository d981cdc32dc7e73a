import { expect, test } from 'vitest';
import type { OutboxEntry, PhotoEntry, RejectedEntry } from '../db/person-db.ts';
import { jobState, photosNotAdded, rejectedPhotosOf, type UnsyncedNow } from './item-state.ts';
import { whyNotSent } from './why-not-sent.ts';

const queued = (changes: Partial<OutboxEntry> = {}) =>
  ({
    uid: 'u',
    seq: 1,
    name: 'job.post',
    args: { id: 'job' },
    state: 'new',
    attempts: 0,
    lastError: null,
    base: [],
    at: '',
    ...changes,
  }) as OutboxEntry;
const photo = (state: PhotoEntry['state']) => ({ id: state, jobId: 'job', state }) as PhotoEntry;
const way = (changes: Partial<UnsyncedNow>): UnsyncedNow => ({
  outbox: [],
  saving: [],
  rejected: [],
  photos: [],
  attempt: 'none',
  ...changes,
});
const said = (changes: Partial<UnsyncedNow>, added = 0) => jobState('job', added, way(changes))?.words;

test('[C1] a change is "saving" until the phone has it, also where an earlier one of the same job is saved', () => {
  expect(said({ saving: [queued()] })).toBe('Saving');
  expect(said({ saving: [queued()], outbox: [queued({ state: 'sent' })] })).toBe('Saving');
});

test('[C16] what comes back after a restore is being restored, not being sent, and says why where it waits', () => {
  const again = queued({ state: 'sent', from: { timeline: 't', version: '7' } });
  expect(said({ outbox: [again], attempt: 'under-way' })).toBe('Being restored');
  expect(whyNotSent(again)).toBeUndefined();
  const waits = queued({ state: 'sent', from: { timeline: 't' }, restoring: 'not-found' });
  expect(said({ outbox: [waits] })).toBe('Being restored');
  expect(whyNotSent(waits)).toMatch(/three days/);
  expect(said({ outbox: [queued({ state: 'sent', from: { timeline: 't' } })] })).toBe('Saved on this phone');
});

test('a change is saved, then sending, then nothing [§offline]', () => {
  expect(said({ outbox: [queued()] })).toBe('Saved on this phone');
  expect(said({ outbox: [queued({ state: 'sent' })], attempt: 'under-way' })).toBe('Sending');
  expect(said({ outbox: [queued({ state: 'sent' })] })).toBe('Saved on this phone');
  expect(said({ outbox: [queued({ state: 'sent' })], attempt: 'turned-back' })).toBe("Couldn't send: see why");
  expect(said({ outbox: [queued({ state: 'sent', lastError: 'Busy.' })] })).toBe("Couldn't send: see why");
  expect(said({ outbox: [queued({ state: 'sent', lastError: 'Busy.' })], attempt: 'under-way' })).toBe('Sending');
  expect(said({})).toBeUndefined();
});

test('what needs the person comes before everything else [§offline]', () => {
  const rejected = [{ ...queued(), status: 'refused' } as unknown as RejectedEntry];
  expect(said({ rejected, outbox: [queued({ name: 'job.close' })], photos: [photo('failed')] })).toBe('Not accepted');
});

test('a photo that was rejected marks the photo, and the job goes on as it is', () => {
  const attach = { ...queued({ name: 'photo.attach', args: { id: 'p', jobId: 'job' } }), status: 'refused' };
  const rejected = [attach as unknown as RejectedEntry];
  const photos = [photo('failed')];
  expect(said({ outbox: [queued()], photos, rejected })).toBe('Saved on this phone');
  expect(said({ photos, rejected }, 2)).toBeUndefined();
  expect(photosNotAdded(rejectedPhotosOf('job', way({ photos, rejected })))).toBe('2 photos not added');
  expect(photosNotAdded(rejectedPhotosOf('other', way({ photos, rejected })))).toBeUndefined();
});

test('a photo whose bytes are uploaded is on its job only once the mutation that attaches it was applied', () => {
  const outbox = [queued({ name: 'photo.attach', args: { id: 'p', jobId: 'job' } })];
  expect(said({ outbox }, 3)).toBe('2 of 3 photos added');
  expect(said({}, 3)).toBeUndefined();
});

test('photos are counted once the job itself is synced, and another job’s are left out [§offline]', () => {
  expect(said({ photos: [photo('waiting')] }, 3)).toBe('3 of 4 photos added');
  expect(
    said(
      { photos: [photo('waiting')], outbox: [queued({ name: 'photo.attach', args: { id: 'p', jobId: 'job' } })] },
      1,
    ),
  ).toBe('0 of 2 photos added');
  expect(jobState('other', 0, way({ outbox: [queued()], photos: [photo('waiting')] }))).toBeUndefined();
});

test('a change says why it was not sent where something answered; that nothing did is no change’s own', () => {
  expect(whyNotSent(queued({ state: 'sent', lastError: 'The database is full.' }))).toBe(
    'The database is full. We keep trying.',
  );
  expect(whyNotSent(queued({ state: 'sent' }))).toBeUndefined();
});
