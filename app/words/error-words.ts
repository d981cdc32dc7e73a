import { CallRejected } from '../api/call.ts';

/** What a person reads of a failed call: the server's own words, else the error's own message, else the fallback. */
export function errorWords(error: unknown, fallback: string): string {
  if (error instanceof CallRejected) return error.wordsOr(fallback);
  if (error instanceof Error && error.message !== '') return error.message;
  return fallback;
}
