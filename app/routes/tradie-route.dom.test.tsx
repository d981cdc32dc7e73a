import { screen, waitFor } from '@testing-library/react';
import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AnswerOf } from '../../shared/api/index.ts';
import { must } from '../../shared/lib/must.ts';
import { makeTestId, makeTradie } from '../../shared/testing/make.ts';
import { CallRejected } from '../api/call.ts';
import { keepLogo } from '../photos/keep-logo.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';
import { fixedCollection } from '../testing/fixed-collection.ts';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const tradie = makeTradie({
  businessName: 'Southern Spouting',
  description: 'Spouting, nothing else.',
  email: 'hello@spouting.nz',
  contactPhone: '+64211234567',
});

function answer(changes: Partial<AnswerOf<'tradies.read'>> = {}): AnswerOf<'tradies.read'> {
  const { categoryIds: _ids, createdAt: _createdAt, ...rest } = tradie;
  return { ...rest, categories: [{ id: 'spouting', name: 'Spouting and Guttering' }], ...changes };
}
const { email: _email, contactPhone: _phone, ...withoutContact } = answer();
const refused = (status: number, error: string) => async () => {
  throw new CallRejected(status, JSON.stringify({ error, code: 'no' }));
};

test('every visitor reads the profile; contacts are for those who sign in [§2 /tradie/{id}]', async () => {
  await screens.show(`/tradie/${tradie.id}`, undefined, { answers: { 'tradies.read': async () => withoutContact } });
  expect(await screen.findByRole('heading', { level: 1, name: 'Southern Spouting' })).toBeVisible();
  for (const text of [
    '9429040402543',
    'Wiremu Parata',
    '12 Station Road, Winton',
    'Spouting, nothing else.',
    'Verified Business',
  ]) {
    expect(screen.getByText(text)).toBeVisible();
  }
  expect(screen.getByText('Sign in to view contact information and connect with this tradie')).toBeVisible();
  expect(screen.queryByRole('link', { name: /hello@spouting/ })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Edit Profile' })).toBeNull();
  await waitFor(() => expect(document.title).toBe('Southern Spouting · Dwang'));
});

test.each([
  ['SMITH BUILDERS LIMITED', true, 'Registered as SMITH BUILDERS LIMITED'],
  ['SOUTHERN SPOUTING LIMITED', true, undefined],
  ['SMITH BUILDERS LIMITED', false, undefined],
  [undefined, true, undefined],
])(
  'where the register says %j and the label is earned (%s), %j stands beside the label',
  async (registeredName, isVerified, shown) => {
    const profile = { ...withoutContact, isVerified, ...(registeredName === undefined ? {} : { registeredName }) };
    await screens.show(`/tradie/${tradie.id}`, undefined, { answers: { 'tradies.read': async () => profile } });
    await screen.findByText('9429040402543');
    expect(screen.queryByText(/^Registered as/)?.textContent).toBe(shown);
    expect(screen.queryByText('Verified Business') !== null).toBe(isVerified);
  },
);

test('signed in, one can call and write [§2 /tradie/{id}]', async () => {
  await screens.show(`/tradie/${tradie.id}`, screens.harness.addHomeowner(), {
    answers: { 'tradies.read': async () => answer() },
  });
  expect(await screen.findByRole('link', { name: 'Call Southern Spouting: 021 123 4567' })).toHaveAttribute(
    'href',
    'tel:+64211234567',
  );
  expect(screen.getByRole('link', { name: 'Email Southern Spouting: hello@spouting.nz' })).toHaveAttribute(
    'href',
    'mailto:hello@spouting.nz',
  );
  expect(screen.queryByText(/Sign in to view contact/)).toBeNull();
  expect(await screen.findByText('Spouting and Guttering')).toBeVisible();
});

test('a business without a logo shows its initials, and one without a phone its email alone [§2 /tradie/{id}]', async () => {
  await screens.show(`/tradie/${tradie.id}`, screens.harness.addHomeowner(), {
    answers: { 'tradies.read': async () => answer({ contactPhone: null }) },
  });
  expect(await screen.findByRole('link', { name: /^Email Southern Spouting/ })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Call/ })).toBeNull();
  expect(screen.getByText('SS')).toBeVisible();
});

test('a profile read before opens again without signal, with its contacts and its time [§offline]', async () => {
  const { phone, goTo, app } = await screens.show('/dashboard', screens.harness.addHomeowner(), { offline: true });
  const { createdAt: _createdAt, ...row } = tradie;
  await phone?.db.profiles.put({ ...row, readAt: app.now() });
  await goTo(`/tradie/${tradie.id}`);
  expect(await screen.findByRole('link', { name: /^Call Southern Spouting/ })).toBeVisible();
  expect(await screen.findByText(/^Updated /)).toBeVisible();
});

test('what is read while signed in is kept for then', async () => {
  const { phone } = await screens.show(`/tradie/${tradie.id}`, screens.harness.addHomeowner(), {
    answers: { 'tradies.read': async () => answer() },
  });
  await screen.findByRole('link', { name: /^Call Southern Spouting/ });
  await waitFor(async () =>
    expect(await phone?.db.profiles.get(tradie.id)).toMatchObject({
      email: 'hello@spouting.nz',
      categoryIds: ['spouting'],
    }),
  );
});

test('without signal the directory’s copy is shown, and it says what is still to come [§offline]', async () => {
  await screens.show(`/tradie/${tradie.id}`, screens.harness.addHomeowner(), {
    offline: true,
    app: { directory: fixedCollection<'directory'>([tradie]) },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Southern Spouting' })).toBeVisible();
  expect(await screen.findByText('The rest of this profile comes when you have signal.')).toBeVisible();
  expect(screen.getByText(/^Updated 2 Jan/)).toBeVisible();
  expect(
    screen.getByText('Contact details are not saved on this phone yet. They come when you have signal.'),
  ).toBeVisible();
});

test('what came with the page stands where no better answer comes: an older name and mark of the directory do not take its place', async () => {
  const { categoryIds, logo, ...rest } = tradie;
  const root = document.body.appendChild(document.createElement('div'));
  root.id = 'root';
  root.dataset['written'] = JSON.stringify({
    listed: { ...rest, categoryIds, logo, businessName: 'Zenith Roofs', isVerified: false },
    trades: ['Spouting'],
    place: 'Winton, Southland',
  });
  const directory = fixedCollection<'directory'>([{ ...tradie, isVerified: true }]);
  let looked = 0;
  const watched = { ...directory, subscribe: (listener: () => void) => ((looked += 1), directory.subscribe(listener)) };
  const calls: ((error: Error) => void)[] = [];
  const call = () => new Promise<never>((_resolve, reject) => void calls.push(reject));
  await screens.show(`/tradie/${tradie.id}`, undefined, {
    app: { directory: watched },
    answers: { 'tradies.read': call },
  });
  expect(await screen.findByText('Fetching the rest of this profile')).toBeVisible();
  expect(looked).toBe(0);
  await waitFor(() => expect(calls).toHaveLength(1));
  calls[0]?.(new Error('nobody answered'));
  await waitFor(() => expect(screen.queryByText('Fetching the rest of this profile')).toBeNull());
  expect(screen.getByRole('heading', { level: 1, name: 'Zenith Roofs' })).toBeVisible();
  expect(screen.queryByText('Verified Business')).toBeNull();
  expect(looked).toBe(0);
  root.remove();
});

test('an id that is nowhere is not found [§2 /tradie/{id}]', async () => {
  await screens.show(`/tradie/${makeTestId()}`, undefined, {
    answers: { 'tradies.read': refused(404, 'That isn’t there.') },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'Tradie not found' })).toBeVisible();
});

test.each([
  ['put', answer, 'Southern Spouting'],
  ['delete', refused(404, 'That isn’t there.'), 'Tradie not found'],
] as const)(
  'a copy that this phone cannot %s is logged, and the page says what the server said',
  async (broken, says, heading) => {
    const logged: string[] = [];
    const { phone, goTo } = await screens.show('/dashboard', screens.harness.addHomeowner(), {
      answers: { 'tradies.read': async () => says() },
      app: { log: (event, detail) => void logged.push(`${event}: ${detail}`) },
    });
    phone!.db.profiles[broken] = () => Dexie.Promise.reject(new DOMException('disk', 'UnknownError'));
    await goTo(`/tradie/${tradie.id}`);
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible();
    await waitFor(() => expect(logged).toEqual(['profile-copy: UnknownError: disk']));
  },
);

test('an id never seen is not called missing while no answer comes [§offline]', async () => {
  await screens.show(`/tradie/${makeTestId()}`, undefined, { offline: true });
  expect(await screen.findByRole('heading', { name: 'Not saved on this phone yet' })).toBeVisible();
  expect(screen.queryByText('Tradie not found')).toBeNull();
});

test('a server that will not answer now is quoted, over the copy there is', async () => {
  await screens.show(`/tradie/${tradie.id}`, screens.harness.addHomeowner(), {
    app: { directory: fixedCollection<'directory'>([tradie]) },
    answers: { 'tradies.read': refused(429, 'Too many profiles at once. Try again in a minute.') },
  });
  expect(await screen.findByText('Too many profiles at once. Try again in a minute.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Southern Spouting' })).toBeVisible();
});

test('its owner sees what the register calls the business, beside what is newest here', async () => {
  const person = screens.harness.addTradie({}, { businessName: 'My Own Business' });
  const answered = answer({
    id: person.tradieId ?? '',
    businessName: 'An Older Name',
    registeredName: 'MY OWN BUSINESS LIMITED',
  });
  await screens.show(`/tradie/${person.tradieId}`, person, { answers: { 'tradies.read': async () => answered } });
  expect(await screen.findByText('MY OWN BUSINESS LIMITED')).toBeVisible();
  expect(screen.getByText('Registered as').tagName).toBe('DT');
  expect(screen.getByRole('heading', { level: 1, name: 'My Own Business' })).toBeVisible();
});

test('its owner sees it with what is still to be sent, and the way to edit it [§2 /tradie/{id}, §4 subscription]', async () => {
  const person = screens.harness.addTradie({}, { businessName: 'My Own Business' });
  const { phone } = await screens.show(`/tradie/${person.tradieId}`, person, { offline: true });
  expect(await screen.findByRole('link', { name: 'Edit Profile' })).toHaveAttribute('href', '/edit-tradie');
  await phone?.sync.mutate('profile.edit', {
    id: person.tradieId ?? '',
    set: { businessName: 'A New Name' },
    base: { businessName: 'My Own Business' },
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'A New Name' })).toBeVisible();
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
});

test('a new logo saved without signal is what one’s own profile shows', async () => {
  const person = screens.harness.addTradie({}, { logo: 'https://files.example.nz/old.png' });
  const { phone, goTo } = await screens.show('/legal', person, { offline: true });
  const kept = { tradieId: person.tradieId ?? '', base: '', path: 'a/1-logo.png', type: 'image/png' };
  await keepLogo(must(phone, 'the phone').db, { ...kept, bytes: new ArrayBuffer(3) }, new Date().toISOString());
  await goTo(`/tradie/${person.tradieId}`);
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
  await waitFor(() =>
    expect(document.querySelector('main img')).toHaveAttribute('src', expect.stringMatching(/^blob:/)),
  );
});
