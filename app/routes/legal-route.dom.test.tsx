import { screen, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCell } from '../lib/cell.ts';
import type { AuthState } from '../context/app-context.ts';
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

test('holds three documents under their anchors, each with its date [§2 /legal]', async () => {
  await screens.show('/legal');
  for (const [anchor, title] of parts) {
    const part = await screen.findByRole('region', { name: title });
    expect(part.id).toBe(anchor);
    expect(within(part).getByText('13 October 2025')).toBeVisible();
    expect(screen.getByRole('link', { name: title })).toHaveAttribute('href', `#${anchor}`);
  }
});

test.each([
  [
    'Privacy Policy',
    ['Privacy Act 2020', 'Australia and the United States', 'encrypted in transit and at rest', 'do not sell'],
  ],
  [
    'Terms of Use - Tradies',
    [
      '18 years or older',
      'valid New Zealand Business Number (NZBN)',
      '$19',
      'payment processor',
      '30 days’ notice',
      'not refunded',
      'independent contractor',
      'Consumer Guarantees Act 1993',
      'three months',
      'law of New Zealand',
    ],
  ],
  ['Terms of Use - All Users', ['must be accurate', 'Acceptable use', 'law of New Zealand']],
] as const)('%s says what the specification wants said [§2 /legal, §9]', async (title, facts) => {
  await screens.show('/legal');
  const text = (await screen.findByRole('region', { name: title })).textContent;
  for (const fact of facts) expect(text).toContain(fact);
});

test('waits neither for the session nor for the configuration [§offline]', async () => {
  await screens.show('/legal', undefined, { app: { authState: createCell<AuthState>({ kind: 'starting' }) } });
  expect(await screen.findByRole('region', { name: 'Privacy Policy' })).toBeVisible();
});

test('can be prerendered', () => {
  expect(renderToString(<LegalPage />)).toContain('id="all-users"');
});
