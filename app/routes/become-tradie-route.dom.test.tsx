import { act, cleanup, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { CallRejected, type Caller } from '../api/call.ts';
import type { SignedIn, AuthState } from '../context/app-context.ts';
import { onboardingDraftKey } from '../features/onboarding/onboarding-draft.ts';
import type { Cell } from '../lib/cell.ts';
import { fillField } from '../testing/fill-field.ts';
import { makePicture } from '../testing/make-picture.ts';
import { createDeferred } from '../testing/deferred.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  localStorage.clear();
  screens = await openScreens();
});
afterEach(() => screens.close());

const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);
const go = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue to Payment' });
const picture = () => makePicture('Tōtara.png');

async function fillIn(user: UserEvent): Promise<void> {
  await fillField(user, await field('NZBN'), '29040402543');
  await fillField(user, await field('Business name'), 'Kererū Building');
  await fillField(user, await field('Business address'), '4 Cameron Street');
  await user.click(await screen.findByRole('checkbox', { name: 'Builder' }));
  await fillField(user, await field('Contact phone'), '021 123 4567');
  await fillField(user, await field('Company description'), 'Decks and fences.');
  await fillField(user, screen.getByRole('combobox', { name: 'Nearest location' }), 'whang');
  await user.click(await screen.findByRole('option', { name: /Whangārei/ }));
}
const agree = (user: UserEvent) => user.click(screen.getByRole('checkbox', { name: /I agree/ }));

/** A caller that keeps what it is asked. */
function checkoutCaller(answer: () => Promise<{ url: string }>): { caller: Caller; asked: unknown[] } {
  const asked: unknown[] = [];
  return {
    asked,
    caller: {
      call: async (name, input) => {
        asked.push({ name, body: input?.body });
        return (await answer()) as never;
      },
    },
  };
}

test('signed out, it asks to sign in and offers the way home [§2 /become-tradie, §8]', async () => {
  await screens.show('/become-tradie');
  expect(await screen.findByRole('heading', { name: 'Please sign in to continue' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/');
});

test('the NZBN takes digits only, begins with 94 and ends at thirteen [§5]', async () => {
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner());
  await user.type(await field('NZBN'), '2');
  expect(await field('NZBN')).toHaveValue('2');
  await user.type(await field('NZBN'), 'x9 0404-02543999');
  expect(await field('NZBN')).toHaveValue('9429040402543');
});

test('Verify wants a number, then says what it did; editing takes that back; a wrong check digit is doubted [§2 /become-tradie, §4 subscription, §5, §8, §offline]', async () => {
  const { user, app } = await screens.show('/become-tradie', screens.harness.addHomeowner());
  await user.click(await screen.findByRole('button', { name: 'Verify' }));
  expect(app.toasts.current()).toMatchObject({ title: 'Error', description: 'NZBN is required' });
  await user.type(await field('NZBN'), '9429040402543');
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  expect(app.toasts.current()).toMatchObject({ title: 'NZBN Verified', description: 'Dummy verification successful.' });
  expect(screen.getByRole('button', { name: 'Verified' })).toBeEnabled();
  await user.type(await field('NZBN'), '{Backspace}4');
  expect(screen.getByRole('button', { name: 'Verify' })).toBeEnabled();
  expect(await screen.findByText("That NZBN doesn't look right. Check the 13 digits.")).toBeVisible();
});

test('the phone is looked at when one leaves it [§5]', async () => {
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner());
  await user.click(await field('Contact phone'));
  await user.tab();
  expect(await screen.findByText('Phone number is required')).toBeVisible();
  await user.type(await field('Contact phone'), '12345');
  await user.tab();
  expect(await screen.findByText('Please enter a valid New Zealand phone number')).toBeVisible();
  await user.clear(await field('Contact phone'));
  await user.type(await field('Contact phone'), '+64 21 123 456');
  await user.tab();
  await waitFor(() => expect(screen.queryByText('Please enter a valid New Zealand phone number')).toBeNull());
});

test('Continue is off until the terms are agreed, and says so [§2 /become-tradie]', async () => {
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner());
  expect(await screen.findByText('To continue: agree to the terms')).toBeVisible();
  expect(go()).toBeDisabled();
  expect(screen.getByRole('link', { name: 'Read the Terms of Use for tradies' })).toHaveAttribute(
    'href',
    '/legal#tradies',
  );
  await agree(user);
  await waitFor(() => expect(go()).toBeEnabled());
  expect(screen.getByText('Are you qualified?')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Nearest location' })).toHaveAttribute(
    'placeholder',
    'Select your nearest town...',
  );
  expect(screen.getByText('14 days free, then $21.85 a month, GST included')).toBeVisible();
  expect(screen.getByText('($19 + GST a month)')).toBeVisible();
});

test('what is missing is listed, and a wrong phone has a toast of its own [§5, §8]', async () => {
  const { user, app } = await screens.show('/become-tradie', screens.harness.addHomeowner());
  await screen.findByText('To continue: agree to the terms');
  await agree(user);
  await user.click(go());
  expect(await screen.findByRole('heading', { name: '7 things to fix' })).toBeVisible();
  expect(app.toasts.current()).toMatchObject({
    title: 'Invalid Phone Number',
    description: 'Phone number is required',
    variant: 'destructive',
  });
});

test('a business name with a web address is refused at its field before anything is sent', async () => {
  const { caller, asked } = checkoutCaller(async () => ({ url: 'https://pay.example/c/1' }));
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner(), { app: { caller } });
  await fillIn(user);
  await user.type(screen.getByRole('textbox', { name: 'Business name' }), ' www.evil.example');
  await agree(user);
  await user.click(go());
  const link = await screen.findByRole('link', { name: /^A business name can’t contain .* a web or email address\./ });
  expect(link).toHaveAttribute('href', '#onboarding-businessName');
  expect(asked).toEqual([]);
});

test('sends the payload as specified, and the browser goes to the payment page [§2 /become-tradie, §3, §4 subscription, §7]', async () => {
  const goTo = vi.fn();
  const { caller, asked } = checkoutCaller(async () => ({ url: 'https://pay.example/c/1' }));
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner({ email: 'hana@example.nz' }), {
    app: { caller, otherPages: { goTo, openTab: () => ({ goTo: () => undefined, close: () => undefined }) } },
  });
  await fillIn(user);
  await agree(user);
  await user.click(go());
  await waitFor(() => expect(goTo).toHaveBeenCalledWith('https://pay.example/c/1'));
  expect(asked).toEqual([
    {
      name: 'billing.checkout',
      body: {
        email: 'hana@example.nz',
        tradieData: {
          nzbn: '9429040402543',
          businessName: 'Kererū Building',
          businessAddress: '4 Cameron Street',
          contactPhone: '+64211234567',
          description: 'Decks and fences.',
          logo: '',
          categoryIds: '["builder"]',
          locationId: 'northland/whangarei',
        },
      },
    },
  ]);
  expect(screen.getByRole('button', { name: /Processing\.\.\./ })).toBeVisible();
});

test('a logo is shown, uploaded first under a path that names no person, and its address is sent with the form [§2 /become-tradie, §5]', async () => {
  const paths: string[] = [];
  const { caller, asked } = checkoutCaller(async () => ({ url: 'https://pay.example/c/1' }));
  const person = screens.harness.addHomeowner();
  const { user } = await screens.show('/become-tradie', person, {
    app: {
      caller,
      putLogo: async ({ path }) => {
        paths.push(path);
        return { kind: 'up', ref: `tradie-logos/${path}` };
      },
    },
  });
  await fillIn(user);
  expect((await field('Upload logo')).accept).toBe('image/*');
  await user.upload(await field('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await agree(user);
  await user.click(go());
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(paths[0]).toMatch(/^[\da-f-]{36}\/\d+-Totara\.png$/);
  expect(paths[0]).not.toContain(person.id);
  expect(asked[0]).toMatchObject({ body: { tradieData: { logo: `tradie-logos/${paths[0]}` } } });
});

test('[S9] where the page becomes another person’s while the logo is uploaded, nothing of the form is sent as theirs', async () => {
  const { caller, asked } = checkoutCaller(async () => ({ url: 'https://pay.example/c/1' }));
  const up = createDeferred<{ kind: 'up'; ref: string }>();
  const isUnderWay = vi.fn(() => up.promise);
  const { user, app } = await screens.show('/become-tradie', screens.harness.addHomeowner(), {
    app: { caller, putLogo: isUnderWay },
  });
  await fillIn(user);
  await user.upload(await field('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await agree(user);
  await user.click(go());
  await waitFor(() => expect(isUnderWay).toHaveBeenCalledOnce());
  const authState = app.authState as Cell<AuthState>;
  const before = authState.current() as SignedIn;
  act(() => authState.set({ ...before, context: { ...before.context, userId: makeTestId() } }));
  await act(async () => up.resolve({ kind: 'up', ref: 'tradie-logos/a.png' }));
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  expect(asked).toEqual([]);
});

test.each([
  [
    'the server’s words',
    new CallRejected(409, JSON.stringify({ error: 'You have a subscription already.', code: 'already-subscribed' })),
    'You have a subscription already.',
  ],
  ['words for a server that has none', new CallRejected(502, '<html>'), 'Failed to create checkout session'],
])('a checkout that fails is told in %s, and everything is still there [§8]', async (_what, error, shown) => {
  const { caller } = checkoutCaller(async () => {
    throw error;
  });
  const { user, app } = await screens.show('/become-tradie', screens.harness.addHomeowner(), { app: { caller } });
  await fillIn(user);
  await agree(user);
  await user.click(go());
  await waitFor(() =>
    expect(app.toasts.current()).toMatchObject({ title: 'Error', description: shown, variant: 'destructive' }),
  );
  expect(await field('Business name')).toHaveValue('Kererū Building');
  expect(go()).toBeEnabled();
});

test('a number that another business has is rejected at its field, and typing another takes that away', async () => {
  const message = 'That NZBN belongs to another business here. If it is yours, contact support.';
  const { caller } = checkoutCaller(async () => {
    throw new CallRejected(
      409,
      JSON.stringify({
        error: message,
        code: 'nzbn-taken',
        details: { fields: { 'tradieData.nzbn': message, 'tradieData.other': 'x', email: 7 } },
      }),
    );
  });
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner(), { app: { caller } });
  await fillIn(user);
  await agree(user);
  await user.click(go());
  await waitFor(async () => expect(await field('NZBN')).toHaveAttribute('aria-invalid', 'true'));
  expect(screen.getByRole('link', { name: message })).toHaveAttribute('href', '#onboarding-nzbn');
  expect(await field('NZBN')).toHaveValue('9429040402543');
  await user.type(await field('NZBN'), '{Backspace}4');
  expect(await field('NZBN')).not.toHaveAttribute('aria-invalid', 'true');
});

test('the half-filled form is there again after the page was closed, words and logo [§2 /become-tradie, §offline]', async () => {
  const person = screens.harness.addHomeowner();
  const { user, goTo, phone } = await screens.show('/become-tradie', person);
  await fillIn(user);
  await user.upload(await field('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  await waitFor(async () => expect(await phone?.db.drafts.get('onboarding-logo')).toBeDefined());
  expect(JSON.parse(must(localStorage.getItem(onboardingDraftKey(person.id)), 'the draft'))).toMatchObject({
    userId: person.id,
    form: { businessName: 'Kererū Building' },
  });
  await goTo('/legal');
  await goTo('/become-tradie');
  expect(await field('NZBN')).toHaveValue('9429040402543');
  expect(screen.getByRole('combobox', { name: 'Nearest location' })).toHaveValue('Whangārei');
  await user.click(await screen.findByRole('button', { name: 'Remove logo' }));
  await waitFor(async () => expect(await phone?.db.drafts.get('onboarding-logo')).toBeUndefined());
});

test('the half-filled form and its logo are there again after another person filled in theirs on the same phone', async () => {
  const aroha = screens.harness.addHomeowner();
  const first = await screens.show('/become-tradie', aroha);
  await first.user.type(await field('Business name'), 'Kererū Building');
  await first.user.upload(await field('Upload logo'), picture());
  await screen.findByRole('button', { name: 'Remove logo' });
  const phone = must(first.phone, 'a phone');
  await waitFor(async () => expect(await phone.db.drafts.get('onboarding-logo')).toBeDefined());
  cleanup();

  const second = await screens.show('/become-tradie', screens.harness.addHomeowner());
  expect(await field('Business name')).toHaveValue('');
  expect(screen.queryByRole('button', { name: 'Remove logo' })).toBeNull();
  await second.user.type(await field('Business name'), 'Southern Spouting');
  cleanup();

  await screens.show('/become-tradie', aroha, { disk: phone.name });
  expect(await field('Business name')).toHaveValue('Kererū Building');
  expect(await screen.findByRole('button', { name: 'Remove logo' })).toBeEnabled();
});

test('without signal one can fill it in but not pay, and it says why [§offline]', async () => {
  const { user } = await screens.show('/become-tradie', screens.harness.addHomeowner(), { offline: true });
  await user.type(await field('Business name'), 'Kererū Building');
  await agree(user);
  expect(await screen.findByText('You need signal for this. What you have filled in is kept.')).toBeVisible();
  expect(go()).toBeDisabled();
});

test('a tradie whose subscription runs has nothing to do here', async () => {
  const person = screens.harness.addTradie();
  await screens.show('/become-tradie', person);
  expect(await screen.findByRole('heading', { name: "You're a tradie already" })).toBeVisible();
  expect(screen.getByRole('link', { name: 'View Profile' })).toHaveAttribute('href', `/tradie/${person.tradieId}`);
});

test('one whose subscription has ended finds the business filled in', async () => {
  await screens.show(
    '/become-tradie',
    screens.harness.addTradie({ subscriptionStatus: 'canceled' }, { businessName: 'Southern Spouting' }),
  );
  expect(await field('Business name')).toHaveValue('Southern Spouting');
  expect(screen.getByText("Your subscription isn't running")).toBeVisible();
});
