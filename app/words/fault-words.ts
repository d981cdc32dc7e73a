import { CallRejected } from '../api/call.ts';

/** What a person reads of a failed call: the server's own words, else the fault's own message, else the fallback. */
export function faultWords(fault: unknown, fallback: string): string {
  if (fault instanceof CallRejected) return fault.wordsOr(fallback);
  if (fault instanceof Error && fault.message !== '') return fault.message;
  return fallback;
}
