import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb } from './person-db.ts';
import { useLive } from './use-live.ts';

test('follows the device, and never shows one question’s answer for another', async () => {
  const db = openPersonDb(makeTestId());
  const [one, other] = [makeJob({ title: 'One' }), makeJob({ title: 'Other' })];
  await db.jobs.bulkAdd([one, other]);
  const seen: [string, unknown][] = [];
  const { result, rerender } = renderHook(
    ({ id }) => {
      const live = useLive(() => db.jobs.get(id), [id]);
      seen.push([id, live.state === 'ready' ? live.value?.title : live.state]);
      return live;
    },
    { initialProps: { id: one.id } },
  );
  expect(result.current).toEqual({ state: 'reading' });
  await waitFor(() => expect(result.current).toEqual({ state: 'ready', value: one }));
  await act(() => db.jobs.update(one.id, { title: 'One, better' }));
  await waitFor(() => expect(result.current).toMatchObject({ value: { title: 'One, better' } }));
  rerender({ id: other.id });
  await waitFor(() => expect(result.current).toMatchObject({ value: { title: 'Other' } }));
  expect(seen.filter(([id, title]) => id === other.id && String(title).startsWith('One'))).toEqual([]);
});

test('C4: storage that cannot be read is not empty', async () => {
  const error = new DOMException('Internal error', 'UnknownError');
  const { result } = renderHook(() => useLive(() => Promise.reject(error), []));
  await waitFor(() => expect(result.current).toEqual({ state: 'failed', error }));
});
