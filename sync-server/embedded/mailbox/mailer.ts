export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Where mail leaves the house: the mailbox of a fresh machine, or a post office over SMTP. Rejects where it could not be handed over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
