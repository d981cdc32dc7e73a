export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Names this mail for ever, so that one sent twice after a lost answer is one mail to a reader that looks. */
  id?: string;
  /** Where one tap ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string;
}

/** Where mail leaves the house: the mailbox of a fresh machine, or a post office over SMTP. Rejects where it could not be handed over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
