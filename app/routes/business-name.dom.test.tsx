import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { User } from '../../shared/tables/index.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* A business's name stands in the mails of others: it is neither a link nor HTML. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, { selector: 'input' });
const save = () => screen.getByRole('button', { name: 'Save Changes' });
const onServer = (person: User) => must(screens.harness.server.rows.tradies.get(person.tradieId ?? ''), 'the profile');
const addTradie = (businessName = 'Southern Spouting') => screens.harness.addTradie({}, { businessName });

test('a name with a web address or marks of HTML is refused at its field, and nothing is sent', async () => {
  const person = addTradie();
  const { user } = await screens.show('/edit-tradie', person);
  await user.clear(await field('Business name'));
  await user.type(await field('Business name'), 'Dwang Support http://evil.example/pay <b>');
  await user.click(save());
  const link = await screen.findByRole('link', { name: /^A business name can’t contain < or >, or a web/ });
  expect(link).toHaveAttribute('href', '#profile-businessName');
  expect(onServer(person).businessName).toBe('Southern Spouting');
});

test('such a name that waits on a phone of an earlier version is refused with its field named, and its text is kept', async () => {
  const person = addTradie();
  const { phone } = await screens.show('/waiting', person, { offline: true });
  const { db, sync } = must(phone, 'the phone');
  await sync.mutate('profile.edit', {
    id: person.tradieId ?? '',
    set: { businessName: 'Southern Gates' },
    base: { businessName: 'Southern Spouting' },
  });
  // As that version had queued it: it knew no such rule.
  const args = {
    id: person.tradieId ?? '',
    set: { businessName: 'gates.co.nz' },
    base: { businessName: 'Southern Spouting' },
  };
  await db.outbox.toCollection().modify({ args });
  screens.harness.goOnline(must(phone, 'the phone'));
  expect((await screen.findAllByText(/A business name can’t contain/, {}, { timeout: 10_000 })).length).toBeGreaterThan(
    0,
  );
  expect(screen.getByText(/gates\.co\.nz/)).toBeVisible();
  expect(onServer(person).businessName).toBe('Southern Spouting');
});

test('a business that is called so already changes the rest of its profile', async () => {
  const person = addTradie('gates.co.nz');
  const { user } = await screens.show('/edit-tradie', person);
  await user.type(await screen.findByRole('textbox', { name: /^Business description/ }), ' Gates.');
  await user.click(save());
  expect(await screen.findByText('Profile Updated')).toBeVisible();
  expect(onServer(person)).toMatchObject({ businessName: 'gates.co.nz' });
});
