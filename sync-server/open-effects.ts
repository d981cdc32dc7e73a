import type { Deps } from './ports/deps.ts';
import { createAlertOwner } from './alerts/alert-owner.ts';
import { createAlertTradies } from './alerts/alert-tradies.ts';
import { createMailJobs } from './alerts/mail-jobs.ts';
import { createSendAlert } from './alerts/send-alert.ts';
import { createNotifyPerson } from './alerts/notify-person.ts';
import { shareOf } from './db/share-of.ts';
import type { Mailer } from './mail/mailer.ts';
import type { SendPush } from './push/send-push.ts';
import { createInterestMail } from './effects/interest-mail.ts';
import { createTrialMail } from './effects/trial-mail.ts';
import { openEffectRunner, type Effects } from './effects/run-effects.ts';

interface EffectsParts extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Undefined where no mail can be sent. */
  mailer: Mailer | undefined;
  /** Undefined where phones cannot be told. */
  sendPush: SendPush | undefined;
  publicUrl: () => string;
}

/**
 * Everything that follows a commit, put together; `start` sets it going. One to an instance, as many instances as there
 * are.
 */
export function openEffects(given: EffectsParts): Effects {
  const parts = { ...given, database: shareOf(given.database, maxTransactions) };
  const { sendPush: send } = parts;
  const mailer = parts.mailer ?? noMailer;
  const hasPush = send !== undefined;
  const alertOwner = createAlertOwner(parts);
  const mailOwner = createInterestMail({ ...parts, mailer });
  return openEffectRunner({
    ...parts,
    handlers: {
      'interest.mail': async (payload, key) => {
        if (hasPush) await alertOwner(payload);
        await mailOwner(payload, key);
      },
      'job.alerts': createAlertTradies(parts),
      'alerts.tell': createNotifyPerson({ ...parts, hasPush }),
      'alerts.mail': createMailJobs({ ...parts, mailer, hasPush }),
      'push.send': send === undefined ? nothing : createSendAlert({ ...parts, send }),
      'trial.mail': createTrialMail({ ...parts, mailer }),
      'mail.send': (mail, key) => mailer.send({ ...mail, id: key }),
    },
  });
}

/** The pool has ten connections (`open-postgres.ts`): exchanges have the others, whatever a new job sets going. */
const maxTransactions = 3;

const nothing = () => Promise.resolve();

/** Mails are tried again until one is configured, or until they are too old. */
const noMailer: Mailer = { send: () => Promise.reject(new Error('no mail server is configured')) };
