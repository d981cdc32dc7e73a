import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCell } from '../lib/cell.ts';
import type { Who } from '../app-context.ts';
import { LegalPage } from '../features/legal/legal-page.tsx';
import { openScreens, type Screens } from '../testing/open-screens.tsx';

let screens: Screens;
beforeEach(async () => {
  screens = await openScreens();
});
afterEach(() => screens.close());

const parts = [
  ['privacy', 'Privacy Policy'],
  ['tradies', 'Terms of Use - Tradies'],
  ['all-users', 'Terms of Use - All Users'],
] as const;

test('holds three documents under their anchors, each with its date', async () => {
  await screens.show('/legal');
  for (const [anchor, title] of parts) {
    const part = await screen.findByRole('region', { name: title });
    expect(part.id).toBe(anchor);
    expect(within(part).getByText('13 October 2025')).toBeTruthy();
    expect(screen.getByRole('link', { name: title }).getAttribute('href')).toBe(`#${anchor}`);
  }
});

test('says what the specification wants said', async () => {
  await screens.show('/legal');
  const text = (await screen.findByRole('main')).textContent;
  for (const fact of [
    'Privacy Act 2020', 'Australia and the United States', 'encrypted in transit and at rest', 'do not sell',
    '18 years or older', 'valid New Zealand Business Number (NZBN)', 'payment processor', '30 days’ notice', 'not refunded',
    'independent contractor', 'Consumer Guarantees Act 1993', 'three months', 'law of New Zealand', 'must be accurate', 'Acceptable use',
  ]) {
    expect(text).toContain(fact);
  }
});

test('waits neither for the session nor for the configuration', async () => {
  await screens.show('/legal', undefined, { app: { who: makeCell<Who>({ kind: 'starting' }) } });
  expect(await screen.findByRole('region', { name: 'Privacy Policy' })).toBeTruthy();
});

test('can be written out before any script runs', () => {
  expect(renderToString(<LegalPage />)).toContain('id="all-users"');
});
