import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { defaultPreferences } from '../../shared/tables/preferences.ts';
import { makeJob, makeSearch, makeTestId } from '../../shared/testing/make.ts';
import type { PushAlerts } from '../pwa/push-alerts.ts';
import { fakeAlerts } from '../testing/fake-alerts.ts';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

/* Whether this device tells its person of news with the app closed: Manage Account. */

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const open = (alerts: PushAlerts, options: { offline?: boolean } = {}) =>
  screens.show('/edit-account', screens.harness.addHomeowner(), { ...options, app: { alerts } });

test('a homeowner is told what alerts are before the browser asks, and turns them on and off', async () => {
  await open(fakeAlerts('off'));
  expect(await screen.findByText(/Hear at once when a tradie is interested in your job/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText('On for this device')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('Off for this device')).toBeVisible();
});

test('a person who says no to the browser learns where to change it', async () => {
  await open(fakeAlerts('off', 'blocked'));
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText(/blocked in this browser/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Turn on alerts' })).toBeNull();
});

test('alerts that the server did not hear of are not called on', async () => {
  await open(fakeAlerts('off', new Error('We couldn’t reach the server.')));
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText('We couldn’t reach the server.')).toBeVisible();
  expect(screen.getByText('Off for this device')).toBeVisible();
});

test('without signal alerts can be turned off, and not on', async () => {
  await open(fakeAlerts('on'), { offline: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText('Off for this device')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Turn on alerts' })).toBeDisabled();
});

test.each([
  ['install', /add Dwang to your Home Screen first/],
  ['unsupported', /can’t show alerts/],
] as const)('where alerts are %s, the card says what to do and offers no button', async (state, says) => {
  await open(fakeAlerts(state));
  expect(await screen.findByText(says)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Turn on alerts' })).toBeNull();
});

const chosen = (userId: string) => screens.harness.server.rows.preferences.get(userId);

test('a tradie chooses what to be told of, when and how often, for all of their devices', async () => {
  const tradie = screens.harness.addTradie();
  const { user } = await screens.show('/edit-account', tradie);
  await user.click(await screen.findByRole('checkbox', { name: 'New jobs that my saved searches find' }));
  await waitFor(() => expect(chosen(tradie.id)).toMatchObject({ pushJobs: false }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Quiet from' }), '10 pm');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Quiet until' }), '6 am');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Messages a day, at most' }), '3');
  await user.click(screen.getByRole('radio', { name: /At once/ }));
  await waitFor(() =>
    expect(chosen(tradie.id)).toMatchObject({ quietFrom: 22, quietTo: 6, alertsPerDay: 3, mailJobs: 'now' }),
  );
  await user.click(screen.getByRole('checkbox', { name: /Quiet hours/ }));
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Quiet from' })).toBeNull());
  await waitFor(() => expect(chosen(tradie.id)).toMatchObject({ quietFrom: 6, quietTo: 6 }));
  await user.click(screen.getByRole('checkbox', { name: /Quiet hours/ }));
  expect(await screen.findByRole('combobox', { name: 'Quiet from' })).toHaveDisplayValue('10 pm');
  expect(screen.getByRole('combobox', { name: 'Quiet until' })).toHaveDisplayValue('6 am');
});

test('a homeowner is asked of interests alone, and not of jobs or their mails', async () => {
  const homeowner = screens.harness.addHomeowner();
  const { user } = await screens.show('/edit-account', homeowner);
  await user.click(await screen.findByRole('checkbox', { name: 'A tradie is interested in my job' }));
  await waitFor(() => expect(chosen(homeowner.id)).toMatchObject({ pushInterests: false }));
  expect(screen.queryByRole('checkbox', { name: /saved searches/ })).toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
});

test('what is chosen without signal is kept, says so, and is sent with the signal', async () => {
  const tradie = screens.harness.addTradie();
  const { user, phone } = await screens.show('/edit-account', tradie, { offline: true });
  await user.click(await screen.findByRole('radio', { name: /Never/ }));
  expect(await screen.findByText('Saved on this phone')).toBeVisible();
  expect(screen.getByRole('radio', { name: /Never/ })).toBeChecked();
  expect(chosen(tradie.id)).toBeUndefined();
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(chosen(tradie.id)).toMatchObject({ mailJobs: 'off' }), { timeout: 10_000 });
});

const offer = /Your browser asks you once more/;
const search = makeSearch({ name: 'Roofs' });
const withSearch = () => {
  const tradie = screens.harness.addTradie();
  screens.harness.server.write((rows) => rows.searches.set(search.id, { ...search, userId: tradie.id }));
  return tradie;
};
const addJob = () => {
  const job = makeJob({ title: 'Roof leak' });
  screens.harness.server.write((rows) => rows.jobs.set(job.id, job));
  return job;
};

test('nothing asks at the start; after a saved search our own words do, and the browser only after a tap', async () => {
  const alerts = fakeAlerts('off');
  const turnOn = vi.spyOn(alerts, 'turnOn');
  addJob();
  const { user } = await screens.show('/find-jobs', screens.harness.addTradie(), { app: { alerts } });
  await screen.findByText('Roof leak');
  expect(screen.queryByText(offer)).toBeNull();
  await user.click(screen.getByRole('button', { name: /Filters/ }));
  await user.click(await screen.findByRole('button', { name: 'Save this search' }));
  expect(await screen.findByText(offer)).toBeVisible();
  expect(turnOn).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText('Alerts are on')).toBeVisible();
  expect(turnOn).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByText(offer)).toBeNull());
});

test('"Not now" after an interest is remembered: the next one asks nothing, for 90 days', async () => {
  const [one, other, third] = [addJob(), addJob(), addJob()];
  const alerts = fakeAlerts('off');
  const { user, goTo, app, phone } = await screens.show(`/job/${one.id}`, withSearch(), { app: { alerts } });
  const { meta } = must(phone, 'the phone').db;
  const express = async () => {
    await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
    await screen.findByText('You have expressed interest in this job');
  };
  await express();
  await user.click(await screen.findByRole('button', { name: 'Not now' }));
  await waitFor(() => expect(screen.queryByText(offer)).toBeNull());
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  await goTo(`/job/${other.id}`);
  await express();
  // This is read after the question whether to ask, so answered after it.
  const declined = await meta.get('alertsDeclined');
  expect(app.alertOffer.current()).toBeNull();
  const at = new Date(Date.parse(String(declined?.value)) - 91 * day).toISOString();
  await meta.put({ key: 'alertsDeclined', value: at });
  await goTo(`/job/${third.id}`);
  await express();
  expect(await screen.findByText(offer)).toBeVisible();
});

test('a tradie without a saved search is told that alerts need one', async () => {
  const job = addJob();
  const tradie = screens.harness.addTradie();
  const { user } = await screens.show(`/job/${job.id}`, tradie, { app: { alerts: fakeAlerts('off') } });
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  expect(await screen.findByText(/Save a search on Find Jobs, and we can tell this phone/)).toBeVisible();
});

test.each(['on', 'blocked', 'unsupported', 'install'] as const)(
  'where alerts are %s, nothing asks after an interest',
  async (state) => {
    const job = addJob();
    const { user, app } = await screens.show(`/job/${job.id}`, withSearch(), { app: { alerts: fakeAlerts(state) } });
    await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
    await screen.findByText('You have expressed interest in this job');
    expect(app.alertOffer.current()).toBeNull();
  },
);

test('an interest that is expressed before it is known whether this device has alerts is asked about once that is', async () => {
  const job = addJob();
  const alerts = fakeAlerts('starting');
  const tradie = withSearch();
  const { user } = await screens.show(`/job/${job.id}`, tradie, { app: { alerts } });
  await user.click(await screen.findByRole('button', { name: 'Express Interest' }));
  await screen.findByText('You have expressed interest in this job');
  expect(screen.queryByText(offer)).toBeNull();
  await act(() => alerts.turnOff(tradie.id));
  expect(await screen.findByText(offer)).toBeVisible();
});

test('a homeowner who says no to the browser after posting a job is not asked again', async () => {
  const alerts = fakeAlerts('off', 'blocked');
  const homeowner = screens.harness.addHomeowner();
  const { user, app, goTo, phone } = await screens.show('/dashboard', homeowner, { app: { alerts } });
  act(() => app.alertOffer.set({ userId: homeowner.id, after: 'job' }));
  expect(await screen.findByText('Hear when a tradie is interested')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Turn on alerts' }));
  expect(await screen.findByText('Alerts stay off')).toBeVisible();
  await waitFor(() => expect(screen.queryByText(offer)).toBeNull());
  expect(await must(phone, 'the phone').db.meta.get('alertsDeclined')).toBeDefined();
  await goTo('/dashboard');
  expect(screen.queryByText(offer)).toBeNull();
});

test('what one person did makes no offer to the next one on the same device [I17]', async () => {
  const homeowner = screens.harness.addHomeowner();
  const { app } = await screens.show('/dashboard', homeowner, { app: { alerts: fakeAlerts('off') } });
  act(() => app.alertOffer.set({ userId: homeowner.id, after: 'job' }));
  expect(await screen.findByText(offer)).toBeVisible();
  act(() => app.alertOffer.set({ userId: makeTestId(), after: 'job' }));
  expect(screen.queryByText(offer)).toBeNull();
});

test('quiet hours that two devices change at the same time do not end for it', async () => {
  const tradie = screens.harness.addTradie();
  const { user, phone } = await screens.show('/edit-account', tradie, { offline: true });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Quiet from' }), '8 am');
  await screen.findByText('Saved on this phone');
  screens.harness.server.write((rows) =>
    rows.preferences.set(tradie.id, { ...defaultPreferences(tradie.id), quietFrom: 21, quietTo: 8 }),
  );
  screens.harness.goOnline(must(phone, 'the phone'));
  await waitFor(() => expect(chosen(tradie.id)).toMatchObject({ quietFrom: 8 }), { timeout: 10_000 });
  expect(chosen(tradie.id)).toMatchObject({ quietTo: 7 });
});
