import * as z from 'zod';

/**
 * What each effect needs to be done. Ids, so that what it says is as true as when it is done; the mail of a sign-in is
 * whole.
 */
export const effectPayloads = {
  /** "A tradie is interested in your job", to the job's owner. */
  'interest.mail': z.object({ interestId: z.uuid() }),
  /** Who looks for this new job. */
  'job.alerts': z.object({ jobId: z.uuid() }),
  /** What waits for this person, on their phones. */
  'alerts.tell': z.object({ userId: z.uuid() }),
  /**
   * One message to one phone of this person, of these alerts of one kind. `ttl`: seconds. `text`: as an earlier version
   * wrote it beforehand.
   */
  'push.send': z.object({
    subscriptionId: z.uuid(),
    userId: z.uuid(),
    text: z.optional(z.string()),
    ttl: z.int(),
    alertIds: z.optional(z.array(z.uuid())),
  }),
  /** What no phone told this person of, by mail. `at`: when it was due; names the mail's alerts on every attempt. */
  'alerts.mail': z.object({ userId: z.uuid(), at: z.iso.datetime() }),
  /** When the free days of a subscription end, and what it costs then, to its tradie. */
  'trial.mail': z.object({ subscriptionId: z.string() }),
  /** A mail that a person waits for. */
  'mail.send': z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() }),
};

export type EffectName = keyof typeof effectPayloads;
export type PayloadOf<Name extends EffectName> = z.output<(typeof effectPayloads)[Name]>;

export type NewEffect = {
  [Name in EffectName]: {
    name: Name;
    /** The same again is not done again. */
    key: string;
    payload: PayloadOf<Name>;
  };
}[EffectName];
