import type { ConnectionStatus } from '../../context/app-context.ts';

/** How the state bar begins. */
export const connectionWords: Readonly<Record<ConnectionStatus['kind'], string>> = {
  online: '',
  slow: 'Slow connection.',
  offline: 'Offline.',
  unreachable: "Can't reach Dwang.",
};
