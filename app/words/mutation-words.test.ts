import { expect, test } from 'vitest';
import type { OutboxEntry } from '../db/person-db.ts';
import { acceptedToast, jobOf, mutationText, mutationWords } from './mutation-words.ts';

const entry = (name: string, args: object) => ({ name, args }) as Pick<OutboxEntry, 'name' | 'args'>;

test('a waiting change is named by what it does and the job it is about', () => {
  const post = entry('job.post', { id: 'j', title: 'Fix the gate', description: 'It sags.' });
  expect([mutationWords(post), jobOf(post), mutationText(post)]).toEqual([
    'New job “Fix the gate”',
    'j',
    'Fix the gate\n\nIt sags.',
  ]);
  const edit = entry('job.edit', { id: 'j', set: { title: 'Fix two gates' }, base: {} });
  expect([mutationWords(edit), mutationWords(edit, 'Fix the gate')]).toEqual([
    'Changes to job “Fix two gates”',
    'Changes to “Fix the gate”',
  ]);
  const interest = entry('interest.express', { id: 'i', jobId: 'j', note: 'Thursday?' });
  expect([mutationWords(interest), jobOf(interest), mutationText(interest)]).toEqual([
    'Your interest in a job',
    'j',
    'Thursday?',
  ]);
});

test('all the text typed into a profile can be copied', () => {
  const set = {
    businessName: 'Gates Ltd',
    contactPersonFirstName: 'Ana',
    contactPhone: '+64271234567',
    description: '',
  };
  const edit = entry('profile.edit', { id: 't', set, base: {} });
  expect([jobOf(edit), mutationText(edit)]).toEqual([undefined, 'Gates Ltd\n\nAna\n\n+64271234567']);
});

test('a change made by a newer version of the app, before it was set back, is still shown', () => {
  const seen = entry('interest.recall', { id: 'i' });
  expect([mutationWords(seen), jobOf(seen), mutationText(seen), acceptedToast(seen.name)]).toEqual([
    'A change',
    undefined,
    '',
    undefined,
  ]);
});
