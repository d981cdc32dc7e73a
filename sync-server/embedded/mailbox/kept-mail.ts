import type { Mail } from '../../mail/mailer.ts';

export interface KeptMail extends Mail {
  /** The addresses in the text, in order. */
  links: string[];
  /** ISO instant. */
  at: string;
}
