import { chromium, expect, type Browser } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { mailTo } from './account.ts';
import type { RunningServer } from './open-server.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/* The mailed link is opened in another browser than the one that signed up: the mail program's own. */

let server: RunningServer;
let browser: Browser;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await browser?.close();
});

for (const [name, path, often] of [
  ['Join as a Tradie', '/become-tradie', long],
  ['Post a Job (Free)', '/post-job', {}],
] as const)
  test(`“${name}” leads to ${path} also where the mailed link is opened in another browser`, often, async () => {
    const email = `mailed${path.replace('/', '.')}@example.nz`;
    const first = await browser.newContext();
    const other = await browser.newContext();
    try {
      const page = await first.newPage();
      await page.goto(server.url);
      await page.getByRole('link', { name }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByLabel('Password').fill('sturdy-kauri-42');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText(email).waitFor();
      const { links } = await mailTo(server, email, /confirm/i);

      const there = await other.newPage();
      // As on a slow line: no form to sign in may stand there meanwhile, for a person would begin to fill it in.
      await there.route('**/auth/v1/user', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      });
      await there.addInitScript(noteSignInForms);
      await there.goto(links[0] ?? '');
      await there.getByText('Opening your account').waitFor();
      await there.getByLabel('First name').fill('Hana');
      expect(await there.evaluate(() => document.documentElement.dataset['signInForms'])).toBe('none');
      await there.getByLabel('Last name').fill('Pere');
      await there.getByRole('button', { name: 'Complete Profile' }).click();
      await expect(there).toHaveURL(`${server.url}${path}`);
    } finally {
      await first.close();
      await other.close();
    }
  });

/** Runs in the page. */
function noteSignInForms(): void {
  addEventListener('DOMContentLoaded', () => {
    const { dataset } = document.documentElement;
    dataset['signInForms'] = 'none';
    new MutationObserver(() => {
      if (document.querySelector('[role=dialog] [name=email]') !== null) dataset['signInForms'] = 'seen';
    }).observe(document.body, { childList: true, subtree: true });
  });
}
