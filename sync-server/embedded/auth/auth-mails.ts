import { html } from '../../../shared/lib/html.ts';
import { mailButton, mailPage, mailText } from '../../mail/mail-page.ts';
import type { Mail } from '../../mail/mailer.ts';

export type MailKind = 'signup' | 'lost-sign-up' | 'taken' | 'restored' | 'recovery' | 'reauthentication';

interface Words {
  subject: string;
  lead: string;
  action: string;
  close: string;
}

const words: Record<MailKind, Words> = {
  signup: {
    subject: 'Confirm your email for Dwang',
    lead: 'Kia ora. Thanks for joining Dwang. Confirm your email address to finish signing up.',
    action: 'Confirm my email',
    close:
      'The link works once, for 24 hours. If you did not sign up, you can ignore this email, and should not open the link: without it there is no account, and what was given is gone after a day. If this address was signed up with more than one password, the link asks you to choose yours.',
  },
  'lost-sign-up': {
    subject: 'Confirm your email for Dwang',
    lead: 'Kia ora. We had to restore Dwang from a copy made before you signed up, and the password you gave is lost. Use this link to confirm your email address and choose your password once more.',
    action: 'Confirm my email',
    close:
      'The link works once, for 24 hours. If you did not sign up, you can ignore this email, and should not open the link: without it there is no account.',
  },
  taken: {
    subject: 'You already have a Dwang account',
    lead: 'Kia ora. Someone tried to sign up at Dwang with this email address, which has an account already. If it was you, sign in with your password, or use this link to choose a new one.',
    action: 'Reset my password',
    close: 'The link works once, for one hour. If it was not you, you can ignore this email: nothing has changed.',
  },
  restored: {
    subject: 'Choose a new password for Dwang',
    lead: 'Kia ora. We had to restore Dwang from a copy made before you joined. One of your devices has brought your account back, and what you made there comes back with it. Your password is lost. Use this link to choose a new one; your other devices ask for it.',
    action: 'Choose my password',
    close:
      'The link works once, for one hour. After that, “Forgot password?” at sign-in sends a new one. If you never joined Dwang, choose a password and nobody else can use this account.',
  },
  recovery: {
    subject: 'Reset your Dwang password',
    lead: 'Kia ora. Someone asked to reset the password for your Dwang account. Use this link to sign in and choose a new one.',
    action: 'Reset my password',
    close:
      'The link works once, for one hour. If you did not ask for it, you can ignore this email and your password stays as it is.',
  },
  reauthentication: {
    subject: 'Your Dwang code',
    lead: 'Kia ora. Someone who is signed in to your Dwang account wants to change its password.',
    action: '',
    close:
      'The code works once, for 15 minutes. If it was not you, give it to nobody, and sign out your other devices on Manage Account.',
  },
};

const instant = new Intl.DateTimeFormat('en-NZ', {
  timeZone: 'Pacific/Auckland',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
});

/** The mail that carries a link and its code. The link stands on a line of its own, so that nothing sticks to it. */
export function authMail({
  kind,
  to,
  link,
  otp,
  askedAt,
}: {
  kind: MailKind;
  to: string;
  link: string | undefined;
  /** Undefined where only the link leads on. */
  otp: string | undefined;
  askedAt: Date;
}): Mail {
  const { subject, lead, action, close } = words[kind];
  const code = link === undefined ? `Your code is ${otp}.` : `If you are asked for a code, it is ${otp}.`;
  const codes = otp === undefined ? [] : [code];
  const asked = `${kind === 'restored' ? 'Sent' : 'Asked for'} on ${instant.format(askedAt)}, New Zealand time.`;
  const text = [lead, ...(link === undefined ? [] : [`${action}:\n${link}`]), ...codes, asked, close, 'Dwang\n'].join(
    '\n\n',
  );
  const page = mailPage({
    title: subject,
    parts: [
      mailText(lead),
      ...(link === undefined ? [] : [mailButton(link, action, 'main'), html`<div style="height:20px"></div>`]),
      ...codes.map((words) => mailText(words, link === undefined ? 'strong' : 'plain')),
    ],
    foot: html`${asked}<br />${close}`,
  });
  return { to, subject, text, html: page };
}
