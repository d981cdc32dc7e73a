import type { Mail } from '../../mail/mailer.ts';

export interface KeptMail extends Mail {
  /** The number of its page, `/dev/mailbox/<row>`. */
  row: number;
  /** The addresses in the text, in order. */
  links: string[];
  /** ISO instant. */
  at: string;
}
