import { expect, type Page } from '@playwright/test';
import { giveCredentials } from './person.ts';

/**
 * Where nothing answers, signing in and asking for a new password fail with a message, each after a third of a minute
 * without an answer.
 */
export async function expectSignInUnanswered(page: Page): Promise<void> {
  // The worst case: the code for sign-in was never fetched, so it hangs as every answer does.
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
  await page.reload();
  await giveCredentials(page, { email: 'somebody@example.nz', password: 'some-password' });
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor();
  // The first notification may have closed by itself: then there is nothing to close.
  const closers = page.locator('[aria-label="Close notification"]');
  await closers.evaluateAll((found: HTMLElement[]) => found.forEach((close) => close.click()));
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('alert').getByText('The server could not be reached.').waitFor();
  expect(await page.getByRole('dialog').getByLabel('Email').inputValue()).toBe('somebody@example.nz');
}
