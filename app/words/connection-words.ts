/** How the state bar begins, by the kind of connection. */
export const connectionWords = {
  online: '',
  slow: 'Slow connection.',
  offline: 'Offline.',
  unreachable: "Can't reach Dwang.",
} as const;
