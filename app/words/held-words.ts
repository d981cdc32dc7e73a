import type { HeldName } from '../held/held-changes.ts';

interface HeldWords {
  /** Why it is held. */
  readonly why: string;
  /** It was taken back in time. */
  readonly undone: { readonly title: string; readonly description: string };
  /** The words for an error without a message. */
  readonly failed: string;
}

/** The texts of what is held before it is sent. */
export const heldWords: Readonly<Record<HeldName, HeldWords>> = {
  'job.close': {
    why: 'A closed job cannot be opened again.',
    undone: { title: 'Not closed', description: 'Your job stays open to tradies.' },
    failed: 'Failed to close job',
  },
};
