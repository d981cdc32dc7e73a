import type { Deps } from '../ports/deps.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createInterestMail } from './interest-mail.ts';
import { createEffects, type Effects } from './run-effects.ts';

interface EffectsParts extends Pick<Deps, 'database' | 'clock' | 'log'> {
  mailer: Mailer;
  publicUrl: () => string;
}

/** Everything that follows a commit, put together; `start` sets it going. One to an instance, as many instances as there are. */
export function openEffects(parts: EffectsParts): Effects {
  return createEffects({
    ...parts,
    doers: {
      'interest.mail': createInterestMail(parts),
      'mail.send': (mail, key) => parts.mailer.send({ ...mail, id: key }),
    },
  });
}
