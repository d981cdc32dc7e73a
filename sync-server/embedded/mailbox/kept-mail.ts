import type { Mail } from './mailer.ts';

export interface KeptMail extends Mail {
  /** The addresses in the text, in order. */
  links: string[];
  /** ISO instant. */
  at: string;
}
