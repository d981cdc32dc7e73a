export type ConnectionKind =
  | 'online'
  | 'slow'
  | 'offline'
  /** No answer comes at all, although the browser has a line. */
  | 'unanswered'
  /** Something answers, and not our server, or it is failing. */
  | 'unreachable';

/** How the state bar begins. */
export const connectionWords: Readonly<Record<ConnectionKind, string>> = {
  online: '',
  slow: 'Slow connection.',
  offline: 'Offline.',
  unanswered: "Can't reach Dwang, trying again.",
  unreachable: "Can't reach Dwang, trying again.",
};
