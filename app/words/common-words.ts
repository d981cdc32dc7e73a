import { formatNumber } from '../lib/format-number.ts';

/** What the app promises about a person's work, each in one place so that every screen says the same. */
export const words = {
  signingIn: 'Signing you in',
  linkFailed: 'The link could not sign you in',
  saved: 'Saved on this phone',
  saving: 'Saving',
  sending: 'Sending',
  closing: 'Closing',
  restoring: 'Being restored',
  notBackYet:
    'Dwang was put back to an earlier copy, and what this needs is not back yet. We keep trying for three days.',
  couldntSend: "Couldn't send: see why",
  notAccepted: 'Not accepted',
  keepOpen: "Keep this page open until it's sent",
  noSignal: 'No signal just now',
  notReached: "Dwang can't be reached just now",
  noAnswerYet: 'No answer yet',
  keepsTrying: 'It is saved on this phone, and we keep trying.',
  goesByItself: "We'll send it when you're back in coverage.",
  needSignal: 'You need signal for this',
  notHere: 'Not saved on this phone yet',
  newVersion: "A new version is ready. Reload when you're done.",
  loading: 'Loading application...',
  opening: 'Opening…',
  insecure: 'Browsers let an app save only at a secure address. Open Dwang at its address that begins with https.',
  notFetched: 'Dwang could not be fetched. Check your signal and try again.',
} as const;

export const supportEmail = 'support@dwang.nz';

/** `1 change`, `2 changes`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${formatNumber(number)} ${number === 1 ? one : many}`;
}
