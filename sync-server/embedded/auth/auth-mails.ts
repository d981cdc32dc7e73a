import { escapeHtml } from '../../../shared/lib/escape-html.ts';
import type { Mail } from '../../mail/mailer.ts';
import type { TokenType } from './one-time-tokens.ts';

interface Words {
  subject: string;
  lead: string;
  action: string;
  close: string;
}

const words: Record<TokenType, Words> = {
  signup: {
    subject: 'Confirm your email for Dwang',
    lead: 'Kia ora. Thanks for joining Dwang. Confirm your email address to finish signing up.',
    action: 'Confirm my email',
    close: 'The link works once, for 24 hours. If you did not sign up, you can ignore this email.',
  },
  recovery: {
    subject: 'Reset your Dwang password',
    lead: 'Kia ora. Someone asked to reset the password for your Dwang account. Use this link to sign in and choose a new one.',
    action: 'Reset my password',
    close: 'The link works once, for one hour. If you did not ask for it, you can ignore this email and your password stays as it is.',
  },
};

/** The mail that carries a link and its code. The link stands on a line of its own, so that nothing sticks to it. */
export function authMail(type: TokenType, to: string, link: string, otp: string): Mail {
  const { subject, lead, action, close } = words[type];
  const code = `If you are asked for a code, it is ${otp}.`;
  const text = `${lead}\n\n${action}:\n${link}\n\n${code}\n\n${close}\n\nDwang\n`;
  const html = `<!doctype html>
<html lang="en-NZ">
<body>
<p>${escapeHtml(lead)}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>
<p>${escapeHtml(code)}</p>
<p>${escapeHtml(close)}</p>
<p>Dwang</p>
</body>
</html>
`;
  return { to, subject, text, html };
}
