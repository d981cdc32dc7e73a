import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallRejected } from '../api/call.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const profile = { businessName: 'Southern Spouting', nzbn: '9429040402543', businessAddress: '4 Cameron Street' };
const problem = (status: number, code: string, details = {}) =>
  new CallRejected(status, JSON.stringify({ error: 'Said by the server.', code, details }));

/** Every page that is asked for, and where the browser then went. */
function billing(answers: Partial<Record<string, () => string>>) {
  const asked: { name: string; body: unknown }[] = [];
  const goTo = vi.fn();
  const app = {
    caller: {
      call: async (name: string, input?: { body?: unknown }) => {
        asked.push({ name, body: input?.body });
        const answer = answers[name];
        if (answer === undefined) throw new Error('not asked for in this test');
        return { url: answer() } as never;
      },
    },
    otherPages: { goTo, openTab: () => ({ goTo, close: () => undefined }) },
  };
  const names = () => asked.map(({ name }) => name).filter((name) => /portal|checkout/.test(name));
  return { app, asked, goTo, names };
}

test.each(['/dashboard', '/find-jobs', '/edit-account'])(
  'a tradie whose subscription has ended reads on %s what is owed, and one tap leads to the payment page with the business they have [§4 subscription]',
  async (path) => {
    const lapsed = screens.harness.addTradie({ subscriptionStatus: 'canceled' }, profile);
    const { app, asked, goTo, names } = billing({ 'billing.checkout': () => 'https://pay.example/c/1' });
    const { user } = await screens.show(path, lapsed, { app });
    expect(await screen.findByText(/you owe nothing\. Coming back is \$21\.85 a month, GST included/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Subscribe Again' }));
    await waitFor(() => expect(goTo).toHaveBeenCalledWith('https://pay.example/c/1'));
    expect(names()).toEqual(['billing.checkout']);
    expect(asked.find(({ name }) => name === 'billing.checkout')?.body).toMatchObject({
      email: lapsed.email,
      tradieData: profile,
    });
  },
);

test('one whose payment failed reads so, and pays it where the subscription is managed', async () => {
  const { app, goTo, names } = billing({ 'billing.portal': () => 'https://pay.example/p/1' });
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie({ subscriptionStatus: 'past_due' }), {
    app,
  });
  expect(await screen.findByText(/Your last payment of \$21\.85 \(GST included\) didn't go through/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Pay and Carry On' }));
  await waitFor(() => expect(goTo).toHaveBeenCalledWith('https://pay.example/p/1'));
  expect(names()).toEqual(['billing.portal']);
});

test('where the server knows that it never ended, the same tap leads to where it is managed', async () => {
  const { app, goTo, names } = billing({
    'billing.checkout': () => {
      throw problem(409, 'already-subscribed', { status: 'past_due' });
    },
    'billing.portal': () => 'https://pay.example/p/1',
  });
  const { user } = await screens.show(
    '/dashboard',
    screens.harness.addTradie({ subscriptionStatus: 'canceled' }, profile),
    { app },
  );
  await user.click(await screen.findByRole('button', { name: 'Subscribe Again' }));
  await waitFor(() => expect(goTo).toHaveBeenCalledWith('https://pay.example/p/1'));
  expect(names()).toEqual(['billing.checkout', 'billing.portal']);
});

test('a business that can be used no more leads to its form, with the reason', async () => {
  const { app } = billing({
    'billing.checkout': () => {
      throw problem(409, 'nzbn-taken', { fields: { 'tradieData.nzbn': 'Another business has it.' } });
    },
  });
  const { user } = await screens.show(
    '/dashboard',
    screens.harness.addTradie({ subscriptionStatus: 'canceled' }, profile),
    { app },
  );
  await user.click(await screen.findByRole('button', { name: 'Subscribe Again' }));
  expect(await screen.findByRole('link', { name: 'Check My Details' })).toHaveAttribute('href', '/become-tradie');
});

test('without signal the button says why it is off [§offline]', async () => {
  const lapsed = screens.harness.addTradie({ subscriptionStatus: 'canceled' }, profile);
  await screens.show('/dashboard', lapsed, { offline: true });
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Subscribe Again' });
  expect(button).toBeDisabled();
  expect(screen.getByText('You need signal for this')).toBeVisible();
});

test('a subscription that runs is offered nothing', async () => {
  await screens.show('/dashboard', screens.harness.addTradie());
  await screen.findByText('View Profile');
  expect(screen.queryByText(/Subscribe Again|Pay and Carry On/)).toBeNull();
});

test('one thing on the dashboard has the colour that acts: what brings a lapsed tradie back, and else the way to jobs', async () => {
  const marked = () => [...document.querySelectorAll('main [data-main]')];
  await screens.show('/dashboard', screens.harness.addTradie({ subscriptionStatus: 'canceled' }, profile));
  await screen.findByRole('button', { name: 'Subscribe Again' });
  await screen.findByText('View Profile');
  expect(marked()).toEqual([]);
  cleanup();
  await screens.show('/dashboard', screens.harness.addTradie());
  const find = await screen.findByRole('link', { name: 'Find Jobs' });
  expect(marked().map((mark) => mark.closest('li')?.contains(find))).toEqual([true]);
});
