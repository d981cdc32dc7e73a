import { expect, it } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import type { SyncTx } from '../store/sync-store.ts';
import { knownFiles } from './known-files.ts';
import { recordEffects } from './record-effects.ts';

/*
 * What storage is asked before mutations are decided, and which of them are followed by a mail. The store is a double:
 * what its calls do is in sync-store.pg.test.ts.
 */

function openTx() {
  const asked: (readonly string[])[] = [];
  const mails: unknown[][] = [];
  const tx = {
    findFiles: (refs: readonly string[]) => {
      asked.push(refs);
      return Promise.resolve(new Map(refs.map((ref) => [ref, null])));
    },
    recordMade: (...given: unknown[]) => {
      mails.push(given);
      return Promise.resolve();
    },
  } as unknown as SyncTx;
  return { tx, asked, mails };
}

const [jobId, photoId] = [makeTestId(), makeTestId()];
const attach = (url: string) => ({ name: 'photo.attach', args: { id: photoId, jobId, url } });

it('asks storage once for the files that are named, each once', async () => {
  const { tx, asked } = openTx();
  const [one, two] = ['job-photos/folder/1.jpg', 'job-photos/folder/2.jpg'];
  const files = await knownFiles(tx, [
    attach(one),
    { name: 'job.close', args: { id: jobId } },
    attach(two),
    attach(one),
  ]);
  expect([asked, [...(files?.keys() ?? [])]]).toEqual([[[one, two]], [one, two]]);
});

it('asks storage nothing where no file is named', async () => {
  const { tx, asked } = openTx();
  const files = await knownFiles(tx, [
    { name: 'job.close', args: { id: jobId } },
    { name: 'nothing.known', args: {} },
    { name: 'photo.attach', args: { id: 'no id' } },
  ]);
  expect([files, asked]).toEqual([undefined, []]);
});

it('records a mail for each interest that was expressed, alerts for each job that was posted, and nothing else', async () => {
  const { tx, mails } = openTx();
  const [userId, first, second, now] = [makeTestId(), makeTestId(), makeTestId(), new Date()];
  const express = (id: string) => ({ name: 'interest.express', args: { id, jobId } });
  await recordEffects(tx, {
    userId,
    now,
    mutations: [
      express(first),
      { name: 'job.close', args: { id: jobId } },
      { name: 'job.post', args: { id: jobId } },
      express(second),
    ],
  });
  expect(mails).toEqual([
    ['interest.mail', userId, now, [first, second]],
    ['job.alerts', userId, now, [jobId]],
  ]);
  await recordEffects(tx, { userId, now, mutations: [{ name: 'job.close', args: { id: jobId } }] });
  expect(mails).toHaveLength(2);
});
