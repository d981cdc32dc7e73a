import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

test('a page that throws leaves its frame standing, says what is safe, and leads on', async () => {
  const heard = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { user, phone } = await screens.show('/dashboard', screens.harness.addHomeowner());
  const { db, goOffline } = must(phone, 'a phone');
  goOffline();
  // No release has written such a row.
  await db.meta.put({ key: 'lostBusiness', value: {} });
  await user.click(await screen.findByRole('link', { name: 'Become a Tradie' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'This page stopped working' })).toHaveFocus();
  expect(heard).toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'Your account' })).toBeEnabled();
  const main = must(document.querySelector('main'), 'main');
  await user.click(must(main.querySelector('a[href="/dashboard"]'), 'a link'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
