import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { clearStorage } from '../testing/clear-storage.ts';
import { makePicture } from '../testing/make-picture.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/*
 * C4: the browser clears this phone under a half-written form, which is left for another page before anything was
 * posted.
 */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await screens.close();
});

const title = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' });
async function openForm() {
  const { user, phone, goTo } = await screens.show('/post-job', screens.harness.addHomeowner());
  return { user, goTo, db: must(phone, 'the phone').db };
}

test('what was typed and its photos are there again after another page', async () => {
  const { user, goTo, db } = await openForm();
  await user.upload(await screen.findByLabelText('Choose photos'), makePicture('gate.jpg', 'image/jpeg'));
  await user.type(await title(), 'Fix the gate');
  await waitFor(async () => expect(await db.drafts.count()).toBe(2));
  await clearStorage(db);
  await waitFor(async () => expect(await db.drafts.count()).toBe(2));
  await goTo('/dashboard');
  await goTo('/post-job');
  await waitFor(async () => expect(await title()).toHaveValue('Fix the gate'));
  expect(await screen.findAllByRole('button', { name: /^Remove photo/ })).toHaveLength(1);
});

test('a phone that is still being cleared refuses the draft: what was typed is there again after another page', async () => {
  const { user, goTo, db } = await openForm();
  await user.type(await title(), 'Fix the gate');
  await waitFor(async () => expect(await db.drafts.count()).toBe(1));
  const put = vi.spyOn(db.drafts, 'put').mockRejectedValue(new DOMException('Being cleared', 'UnknownError'));
  await clearStorage(db);
  await waitFor(() => expect(put).toHaveBeenCalled());
  await goTo('/dashboard');
  put.mockRestore();
  await goTo('/post-job');
  await waitFor(async () => expect(await title()).toHaveValue('Fix the gate'));
  await waitFor(async () => expect(await db.drafts.count()).toBe(1));
});

test('a form that was only opened is no draft afterwards', async () => {
  const { goTo, db } = await openForm();
  await title();
  await clearStorage(db);
  await goTo('/dashboard');
  expect(await db.drafts.count()).toBe(0);
});
