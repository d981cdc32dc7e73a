export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Names this mail for ever, so that one sent twice after a lost answer is one mail to a reader that looks. */
  id?: string;
  /** The address at which one tap ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string;
}

/**
 * Sends mail: into the mailbox of a new installation, or to an SMTP server. Rejects where it could not be handed over.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
