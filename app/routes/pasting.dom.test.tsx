import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* What people’s fingers expect of every form: the right keyboard, paste, Enter, and to go on where they signed in. */

let screens: Screens;
beforeEach(async () => {
  localStorage.clear();
  screens = await openScreens();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await screens.close();
});
const field = (name: string | RegExp) => screen.findByLabelText<HTMLInputElement>(name);

async function paste(user: UserEvent, name: string | RegExp, text: string) {
  const control = name === 'Town' ? await screen.findByRole('combobox', { name }) : await field(name);
  await user.clear(control);
  await user.click(control);
  await user.paste(text);
}

test.each([
  '021 123 4567',
  '+64 21 123 4567',
  '+64 (0)21 123 4567',
  '0064 21 1234567',
  'Ph: 021-123-4567 (Ngaio)',
  'tel:+64211234567',
  '\u202a021 123 4567\u202c',
])('a phone number pasted as %j is taken', async (pasted) => {
  const person = screens.harness.addTradie({}, { contactPhone: '+6493124567' });
  const { user } = await screens.show('/edit-tradie', person);
  await paste(user, 'Contact phone', pasted);
  await user.click(screen.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(screens.harness.server.rows.tradies.get(person.tradieId ?? '')?.contactPhone).toBe('+64211234567'),
  );
});

test.each([
  ['$1,250.50', '1250.50'],
  ['NZ$ 1,250', '1250'],
  ['1 250 NZD', '1250'],
  ['NZD 9,999,999.99', '9999999.99'],
])('a price pasted as %j is read as %s', async (pasted, read) => {
  const { user } = await screens.show('/post-job', screens.harness.addHomeowner());
  await paste(user, /Budget max/, pasted);
  expect(await field(/Budget max/)).toHaveValue(read);
});

test.each([
  ['$1,250.50', '1,500'],
  ['$12,000.00', '12,000'],
  ['up to 60000', '50,000'],
  ['.', '10,000'],
])('the slider’s box takes %j as %s', async (pasted, shown) => {
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie());
  await user.click(await screen.findByRole('button', { name: /^Filters/ }));
  await paste(user, 'Max budget, type a number', pasted);
  await user.keyboard('{Enter}');
  expect(await field('Max budget, type a number')).toHaveValue(shown);
});

test.each(['94 2904 0402 543', 'NZBN: 9429040402543', ' 9429-0404-02543\n'])(
  'an NZBN pasted as %j is taken',
  async (pasted) => {
    const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner());
    await paste(user, 'NZBN', pasted);
    expect(await field('NZBN')).toHaveValue('9429040402543');
  },
);

test('an email pasted with spaces around it signs in', async () => {
  const signIn = vi.fn(async () => undefined);
  const { user } = await screens.show('/', undefined, { auth: { signIn } });
  await user.click(screen.getByRole('link', { name: 'Login / Sign Up' }));
  await screen.findByRole('dialog');
  await paste(user, 'Email', ' aroha@example.nz\t');
  await paste(user, 'Password', 'secret1');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(signIn).toHaveBeenCalledWith('aroha@example.nz', 'secret1'));
});

test('a town pasted with its region is chosen, and the job goes with it', async () => {
  const { user } = await screens.show('/post-job', screens.harness.addHomeowner());
  await paste(user, 'Title', '  Fix the gate ');
  await paste(user, 'Description', 'It sags.');
  await paste(user, 'Town', 'Winton, Southland');
  await user.tab();
  await user.click(screen.getByRole('radio', { name: /Soon/ }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Builder');
  await user.type(await field(/Budget max/), '300{Enter}');
  await waitFor(() =>
    expect([...screens.harness.server.rows.jobs.values()]).toMatchObject([
      { title: 'Fix the gate', locationId: 'southland/winton', budgetMax: 300 },
    ]),
  );
});
