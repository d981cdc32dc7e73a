import type { SessionContext } from '../context/app-context.ts';
import { useLive, type Live } from '../db/use-live.ts';
import { heldIn } from '../held/held-changes.ts';
import { findWaitingLogo } from '../photos/keep-logo.ts';
import { isAsked, jobOf, mutationWords } from '../words/mutation-words.ts';
import { count } from '../words/common-words.ts';

export interface UnsentNames {
  readonly names: readonly string[];
  /** None of it has left this device; else the server may have some. */
  readonly areSure: boolean;
}

/** The names of what is only on this device, as far as it can tell: changes, what was not accepted, photos, a logo. */
export function useUnsentNames({ db }: Pick<SessionContext, 'db'>): Live<UnsentNames> {
  return useLive(async () => {
    const [[outbox, refused, photos, jobs], logo, held] = await Promise.all([
      db.transaction('r', ['outbox', 'refused', 'photos', 'jobs'], () =>
        Promise.all([db.outbox.toArray(), db.refused.toArray(), db.photos.toArray(), db.jobs.toArray()]),
      ),
      findWaitingLogo(db),
      heldIn(db),
    ]);
    // What the app noted by itself is named where a restore has lost it: this phone alone can bring it back.
    const changes = [
      ...outbox.filter((entry) => isAsked(entry) || entry.from?.version !== undefined),
      ...refused.filter(isAsked),
    ];
    // A photo whose bytes are uploaded is still on no job: without the mutation that attaches it, no person will ever
    // see it.
    const attaching = changes.flatMap(({ name, args }) =>
      name === 'photo.attach' ? [(args as { id: string }).id] : [],
    );
    const unsent = new Set([...attaching, ...photos.flatMap(({ id, state }) => (state === 'uploaded' ? [] : [id]))]);
    const titles = new Map(jobs.map(({ id, title }) => [id, title]));
    const names = [
      ...changes
        .filter(({ name }) => name !== 'photo.attach')
        .map((entry) => mutationWords(entry, titles.get(jobOf(entry) ?? ''))),
      ...held.map((change) => mutationWords(change, change.about)),
      ...(unsent.size === 0 ? [] : [count(unsent.size, 'photo')]),
      ...(logo === undefined ? [] : ['Your new logo']),
    ];
    return { names, areSure: !outbox.some((entry) => isAsked(entry) && entry.state === 'sent') };
  }, [db]);
}
