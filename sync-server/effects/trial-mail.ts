import { cancelWords, monthlyPrice } from '../../shared/lib/price.ts';
import { pathOf } from '../../shared/routes.ts';
import type { Database } from '../db/database.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { html } from '../../shared/lib/html.ts';
import { mailButton, mailPage, mailText } from '../mail/mail-page.ts';
import { effectNotes, type EffectHandlers } from './run-effects.ts';

interface TrialMailParts {
  database: Database;
  mailer: Mailer;
  /** Origin people reach the product at. */
  publicUrl: () => string;
}

/**
 * Mails a tradie whose free days are nearly over when they end, what a month costs from then on, and where to stop. Not
 * where they have ended, or were paid for, by the time it is sent.
 */
export function createTrialMail({ database, mailer, publicUrl }: TrialMailParts): EffectHandlers['trial.mail'] {
  return async ({ subscriptionId }, key) => {
    const trial = await database.sql
      .selectFrom('billing_subscription as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select(['u.email', 's.trial_end'])
      .where('s.id', '=', subscriptionId)
      .where('s.status', '=', 'trialing')
      .executeTakeFirst();
    if (trial?.trial_end == null) return effectNotes.unneeded;
    await mailer.send({ ...trialMail(trial.email, trial.trial_end, publicUrl() + pathOf('/edit-account')), id: key });
    return undefined;
  };
}

const dayOf = new Intl.DateTimeFormat('en-NZ', {
  timeZone: 'Pacific/Auckland',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

function trialMail(to: string, endsAt: Date, accountUrl: string): Mail {
  const subject = `Your free days end on ${dayOf.format(endsAt)}`;
  // The checkout, and every place where the price is said, use the same words.
  const price = `From then on Dwang is $${(monthlyPrice.total / 100).toFixed(2)} a month, GST included, paid by the card you gave. ${cancelWords}.`;
  const goOn = 'To go on you need do nothing.';
  const stop = 'To stop, choose Manage Billing on Manage Account before that day: nothing is charged then.';
  const action = 'Manage Account';
  const why = 'You get this email because you joined Dwang as a tradie.';
  return {
    to,
    subject,
    text: `Kia ora. ${subject}. ${price}\n\n${goOn} ${stop}\n\n${action}:\n${accountUrl}\n\n${why}\n\nDwang\n`,
    html: mailPage({
      title: subject,
      parts: [mailText(price), mailText(`${goOn} ${stop}`), mailButton(accountUrl, action, 'main')],
      foot: html`${why}`,
    }),
  };
}
