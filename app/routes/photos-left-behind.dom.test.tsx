import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ShrunkPhoto, SignedIn } from '../context/app-context.ts';
import { createDeferred } from '../testing/deferred.ts';
import { makePicture } from '../testing/make-picture.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

test('a photo that was not ready when its form was left comes to no other job, and the person is told', async () => {
  const { user, goTo, phone, app } = await screens.show('/post-job', screens.harness.addHomeowner());
  const { context } = app.authState.current() as SignedIn;
  const shrunk = createDeferred<ShrunkPhoto>();
  vi.spyOn(context.photos, 'shrink').mockReturnValueOnce(shrunk.promise);
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Fix the gate');
  await user.upload(screen.getByLabelText('Choose photos'), makePicture('gate.jpg', 'image/jpeg'));
  await goTo('/dashboard');
  expect(await screen.findByText('A photo was not added')).toBeVisible();
  await goTo('/post-job');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Fix the gate'));
  shrunk.resolve({ bytes: new ArrayBuffer(8), type: 'image/jpeg', name: 'gate.jpg' });
  await shrunk.promise;
  await new Promise((resolve) => setTimeout(resolve, 50));
  const { drafts } = must(phone, 'the phone').db;
  expect((await drafts.toArray()).map(({ key }) => key)).toEqual(['post-job']);
});
