import { CallRejected } from '../api/call.ts';

/** What a person reads of a failed call: the server's own words, else the error's own message, else the fallback. */
export function errorWords(error: unknown, fallback: string): string {
  if (error instanceof CallRejected) return error.wordsOr(fallback);
  // The authentication client puts an answer that it knows no words of into the message as it is.
  if (error instanceof Error && !['', '{}'].includes(error.message)) return error.message;
  return fallback;
}
