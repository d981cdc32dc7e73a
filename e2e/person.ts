import { expect } from '@playwright/test';
import { mailTo } from './account.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import type { RunningServer } from './open-server.ts';
import type { makePhoto } from './make-photo.ts';
import { timeoutMs } from './timeout-ms.ts';

const quickly = { intervals: [50], timeout: timeoutMs };
const patiently = { ...quickly, timeout: 3 * timeoutMs };

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface NewPerson extends Credentials {
  readonly firstName: string;
  readonly lastName: string;
}

/** An account of the demonstration data (`homeowner`, `tradie`, `trialing`, ...). */
export const demo = (name: string): Credentials => ({ email: `${name}@demo.nz`, password: 'demo-password' });

/** Fills the first step of the sign-in dialog, opening it where it is not open, and presses Continue. */
export async function giveCredentials(page: Tab, { email, password }: Credentials): Promise<void> {
  const dialog = page.getByRole('dialog');
  const opener = page.getByRole('link', { name: 'Login / Sign Up' }).first();
  // The dialog's code may still be loading: whichever of the two shows first.
  await expect.poll(async () => (await dialog.isVisible()) || (await opener.isVisible()), quickly).toBe(true);
  if (!(await dialog.isVisible())) await opener.click();
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password').fill(password);
  // Playwright, too, waits until a dialog that comes in can be pressed, but asks again after half a second only.
  await page.waitForFunction(canContinue, undefined, { polling: 50 });
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

/** Runs in the page: nothing lies over the dialog's button, or it is out of the window and must be scrolled to. */
function canContinue(): boolean {
  const button = document.querySelector('[role=dialog] button[type=submit]');
  if (button === null) return true;
  const { left, top, width, height } = button.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there === null || button.contains(there);
}

/**
 * Closes the greeting of a sign-in, where it is still there: on a phone it lies over the header for some seconds, and a
 * press on what is under it would wait for its end.
 */
const closeGreeting = (page: Tab): Promise<void> =>
  page.evaluate(() =>
    document.querySelector<HTMLElement>('[data-greeting] [aria-label="Close notification"]')?.click(),
  );

/** Opens the header's menu. */
export async function openAccountMenu(page: Tab): Promise<void> {
  await closeGreeting(page);
  await page.getByRole('button', { name: 'Your account' }).click();
}

/**
 * Signs in and waits for the dashboard. Presses once more, as a person does, where the dialog says that no answer came.
 */
export async function signIn(page: Tab, credentials: Credentials): Promise<void> {
  await giveCredentials(page, credentials);
  const dashboard = page.getByRole('heading', { level: 1, name: 'Dashboard' });
  const unanswered = page.getByRole('dialog').getByText('The server could not be reached.');
  const either = expect.poll(async () => (await dashboard.isVisible()) || (await unanswered.isVisible()), quickly);
  // Where neither comes, the wait below says what the page shows instead.
  await either.toBe(true).catch(() => undefined);
  if (await unanswered.isVisible()) {
    process.stdout.write('The server was not reached at sign-in; pressed again.\n');
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  }
  await dashboard.waitFor();
}

/**
 * Signs up through the dialog, opens the mailed link as a mail program would, gives a name, and waits for the
 * dashboard.
 */
export async function signUp(server: RunningServer, page: Tab, person: NewPerson): Promise<void> {
  await giveCredentials(page, person);
  const dialog = page.getByRole('dialog');
  await dialog.getByText(person.email).waitFor();
  const mail = await mailTo(server, person.email, /confirm/i);
  const [link] = mail.links;
  if (link === undefined) throw new Error('The mail to confirm the address has no link in it.');
  await fetch(link, { redirect: 'manual' });
  await dialog.getByRole('button', { name: "I've Confirmed My Email" }).click();
  await dialog.getByLabel('First name').fill(person.firstName);
  await dialog.getByLabel('Last name').fill(person.lastName);
  await dialog.getByRole('button', { name: 'Complete Profile' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
}

/**
 * The app is of use without signal only once its worker has cached everything and controls the page, and towns and
 * trades have come.
 */
export async function untilInstalled(device: Device<Tab>): Promise<void> {
  // Asked again and again: an answer that takes as long as the installation may be lost with a page that moves on
  // meanwhile.
  // And for long: an installation that waits for a file without end is taken up again by the app, after a while.
  await expect.poll(() => device.page().evaluate(workerState).catch(String), patiently).toBe('activated');
  await device.page().waitForFunction(hasReference, undefined, { polling: 100 });
}

/** Runs in the page. */
async function workerState(): Promise<string> {
  const registration = await navigator.serviceWorker.getRegistration();
  const worker = registration?.active ?? registration?.waiting ?? registration?.installing;
  return worker?.state ?? (registration === undefined ? 'not registered' : 'no worker');
}

/** Runs in the page. */
async function hasReference(): Promise<boolean> {
  const finished = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
    });
  const isThere = (await indexedDB.databases()).some(({ name }) => name === 'dwang-public');
  if (!isThere) return false;
  const db = await finished(indexedDB.open('dwang-public'));
  try {
    const stores = db.transaction(['shelfStates', 'segments']);
    const state = (await finished(stores.objectStore('shelfStates').get('reference'))) as
      | { manifest: { segments: { hash: string }[] } | null }
      | undefined;
    const kept = await finished(stores.objectStore('segments').getAllKeys());
    return state?.manifest != null && state.manifest.segments.every(({ hash }) => kept.includes(hash));
  } finally {
    db.close();
  }
}

/** A town by its first letters, as typed on a phone; the region comes with it. */
export async function chooseTown(page: Tab, label: RegExp, letters: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).pressSequentially(letters);
  // The towns may still be loading from the device, and the list may still be that of the first letters.
  await page
    .getByRole('option', { name: new RegExp(`^${letters}`, 'i') })
    .first()
    .waitFor();
  // A list that closes as its towns come in opens again by the same key.
  const focused = page.locator('[role=option][data-focused]');
  const goDown = async () => {
    if ((await focused.count()) === 0) await page.keyboard.press('ArrowDown');
    return focused.count();
  };
  await expect.poll(goDown, { intervals: [1_000], timeout: timeoutMs }).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

/** Opens the header's menu and asks to log out; the question that follows is the test's. */
export async function askToLogOut(page: Tab): Promise<void> {
  await openAccountMenu(page);
  await page.getByRole('menuitem', { name: 'Log Out' }).click();
  await page.getByRole('alertdialog').waitFor();
}

/** Writes a job and presses Post Job; what comes of it is the test's. */
export async function postJob(
  page: Tab,
  title: string,
  photos: readonly ReturnType<typeof makePhoto>[] = [],
): Promise<void> {
  await closeGreeting(page);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('As soon as it suits you.');
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  if (photos.length > 0) {
    await page.getByLabel('Choose photos').setInputFiles([...photos]);
    await page.getByText(`${photos.length} photo${photos.length === 1 ? '' : 's'} added`, { exact: true }).waitFor();
  }
  await page.getByRole('button', { name: 'Post Job' }).click();
}
