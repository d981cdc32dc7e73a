import * as z from 'zod/mini';
import type { CollectionRow } from '../tables/collections.ts';

/** The job that comes with an alert: as in the feed, its description cut where it was too long for a push message. */
export type PushedJob = CollectionRow<'feed'>;

/** What an alert says to the app, beside the words that are shown. */
export const pushedData = z.object({
  /** Whom it is for: another person's device shows and keeps nothing of it. */
  for: z.uuid(),
  kind: z.enum(['interest', 'job']),
  /** The feed's version and timeline as of which the jobs are: a device that knows more has no need of them. */
  feed: z.object({ version: z.string().check(z.regex(/^\d{1,19}$/)), timeline: z.string() }),
  jobs: z.array(z.looseObject({ id: z.uuid(), createdAt: z.string() })),
  /**
   * The feed's version at which each of them last changed, in their order: a device that is as far has it already, and
   * whole.
   */
  versions: z.optional(z.array(z.string().check(z.regex(/^\d{1,19}$/)))),
});

/**
 * A message of the server's to a phone: Declarative Web Push (`web_push: 8030`), which a browser that knows it shows by
 * itself, and which the service worker shows everywhere else.
 */
export const pushMessage = z.object({
  web_push: z.literal(8030),
  notification: z.object({
    title: z.string(),
    body: z.string(),
    /** Whole address of the page that a tap opens. */
    navigate: z.url(),
    /** A later message of the same tag takes the place of this one. */
    tag: z.string(),
    lang: z.literal('en-NZ'),
    data: pushedData,
  }),
});
export type PushMessageBody = z.output<typeof pushMessage>;

/** Bytes of a message's JSON, at most: a push service takes 4,096 with the encryption around them. */
export const maxPushBytes = 3_000;
