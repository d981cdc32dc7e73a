import type { PagePath } from './routes.ts';

/** The head of each of these pages as shared or found; the app's title for the page begins in the same way. */
export const fixedPages = {
  '/': {
    title: 'Connecting Homeowners & Tradies Across NZ · Dwang',
    description: 'Post a job for free and hear from NZBN verified tradies near you. 100% Kiwi owned.',
  },
  '/legal': {
    title: 'Terms of use and Privacy policy · Dwang',
    description: 'The terms for homeowners and tradies, and what Dwang keeps about you and why, in plain words.',
  },
  '/find-tradies': {
    title: 'Find Tradies · Dwang',
    description:
      'Browse builders, plumbers, electricians and other tradies across New Zealand, by trade, region and town.',
  },
} as const satisfies Partial<Record<PagePath, { title: string; description: string }>>;
