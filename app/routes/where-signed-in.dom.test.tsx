import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hour } from '../../shared/lib/durations.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

describe('where a person is signed in', () => {
  const at = new Date(Date.now() - 3 * hour).toISOString();
  const here = { id: 'a', name: 'Firefox on Linux', lastUsedAt: new Date().toISOString(), isThis: true };
  const others = [
    { id: 'b', name: 'Chrome on Android', lastUsedAt: at, isThis: false },
    { id: 'c', name: '', lastUsedAt: at, isThis: false },
  ];
  const inCard = async () => within(await screen.findByRole('region', { name: 'Where You’re Signed In' }));

  test('is listed with this device marked; one device is signed out, then all the others', async () => {
    let left = [here, ...others];
    const end = vi.fn(async (id: string) => void (left = left.filter((one) => one.id !== id)));
    const endOthers = vi.fn(async () => void (left = [here]));
    const { user } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
      auth: { devices: { list: async () => left, end, endOthers } },
    });
    const card = await inCard();
    const items = await card.findAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent?.includes('This device'))).toEqual([true, false, false]);
    expect(within(items[0]!).queryByRole('button')).toBeNull();
    await user.click(card.getByRole('button', { name: /^Sign out Chrome on Android/ }));
    await waitFor(() => expect(card.getAllByRole('listitem')).toHaveLength(2));
    expect(end).toHaveBeenCalledExactlyOnceWith('b');
    expect(card.getByText('A browser')).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(() => expect(card.getAllByRole('listitem')).toHaveLength(1));
    expect(endOthers).toHaveBeenCalledOnce();
    expect(card.queryByRole('button')).toBeNull();
  });

  test('a provider that lists nothing is said plainly, and all the others can still be signed out', async () => {
    const endOthers = vi.fn(async () => undefined);
    const { user } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
      auth: { devices: { list: async () => 'unlisted', end: async () => undefined, endOthers } },
    });
    const card = await inCard();
    expect(
      await card.findByText('Your other devices can’t be listed here. You can sign all of them out at once.'),
    ).toBeVisible();
    await user.click(card.getByRole('button', { name: 'Sign out everywhere else' }));
    await waitFor(() => expect(endOthers).toHaveBeenCalledOnce());
  });

  test('a list that cannot be had says so and is asked for again', async () => {
    let isWell = false;
    const list = async () => {
      if (!isWell) throw new Error('We couldn’t reach your list of devices. Try again in a moment.');
      return [here];
    };
    const { user } = await screens.show('/edit-account', screens.harness.addHomeowner(), {
      auth: { devices: { list, end: async () => undefined, endOthers: async () => undefined } },
    });
    const card = await inCard();
    expect(await card.findByText('We couldn’t reach your list of devices. Try again in a moment.')).toBeVisible();
    isWell = true;
    await user.click(card.getByRole('button', { name: 'Try Again' }));
    expect(await card.findByText('Firefox on Linux')).toBeVisible();
  });
});
