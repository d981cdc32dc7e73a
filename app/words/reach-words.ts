import { words } from './common-words.ts';
import type { ConnectionKind } from './connection-words.ts';

/** There is a line, and the server is not at its end: the signal is not the reason. */
export const isServerAway = (kind: ConnectionKind): boolean => kind === 'unanswered' || kind === 'unreachable';

const whenSent: Readonly<Record<ConnectionKind, string>> = {
  // An answer is late, and nothing is known of why.
  online: 'as soon as the connection lets us',
  slow: 'as soon as the connection lets us',
  offline: "when you're back in coverage",
  unanswered: 'once Dwang can be reached',
  unreachable: 'once Dwang can be reached',
};

/** `when you're back in coverage`, after "We'll send it" and the like. */
export const onceReached = (kind: ConnectionKind): string => whenSent[kind];

/** What is said of a change that was just made. */
export const savedForLater = (kind: ConnectionKind): string => `${words.saved}. We'll send it ${onceReached(kind)}.`;

/** `you have signal`, after "the first time". */
export const reached = (kind: ConnectionKind): string =>
  isServerAway(kind) ? 'Dwang can be reached' : 'you have signal';

/** Why something could not be fetched just now. */
export const whyNotFetched = (kind: ConnectionKind): string =>
  isServerAway(kind) ? words.notReached : words.needSignal;
