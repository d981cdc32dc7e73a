import type { Line } from '../../app-context.ts';

/** How the state bar begins. */
export const lineWords: Readonly<Record<Line['kind'], string>> = {
  online: '',
  slow: 'Slow connection.',
  offline: 'Offline.',
  unreachable: "Can't reach Dwang.",
};
