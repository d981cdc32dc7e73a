import { useCallback } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import type { Tradie } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { PersonDb } from '../../db/person-db.ts';
import { useLive } from '../../db/use-live.ts';
import { notSaved } from '../../hooks/not-saved.ts';
import { useMutation, type Kept } from '../../hooks/use-mutation.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import type { PickedLogo } from '../../hooks/use-picked-logo.ts';
import { findWaitingLogo, keepLogo, undoKeepLogo, type KeptLogo, type WaitingLogo } from '../../photos/keep-logo.ts';
import { logoPath } from '../../photos/put-logo.ts';
import { savedForLater } from '../../words/reach-words.ts';

export interface ProfileToSave {
  readonly args: ArgsOf<'profile.edit'>;
  readonly logo: PickedLogo | undefined;
  /** The address of a logo that is in storage but was not put into the profile. */
  readonly leftLogo: string | undefined;
  /** The rejected edit that this one replaces. */
  readonly rejectedUid: string | undefined;
  readonly draft: () => string | undefined;
}

/** How long a person waits for the picture before the texts go alone. */
const logoWaitMs = 8_000;

/**
 * Saves a profile, also without signal. The picture is kept on the device first; if storage takes it within
 * `logoWaitMs` its address goes with the words, else the words go now and the picture follows from the upload queue.
 */
export function useSaveProfile(tradie: Tradie): { may: boolean; save: (profile: ProfileToSave) => Promise<Kept> } {
  const { putLogo, toasts, now, connection } = useApp();
  const { db, logoUploads } = useSessionContext();
  const { may, mutate } = useMutation('profile.edit', tradie);
  const isAway = useOfflineReason() !== undefined;

  const save = useCallback(
    async ({ args, logo, leftLogo, rejectedUid, draft }: ProfileToSave): Promise<Kept> => {
      let logoUrl = logo === undefined ? leftLogo : undefined;
      let keptLogo: KeptLogo | undefined;
      if (logo !== undefined) {
        const { bytes, type, name } = logo;
        const path = logoPath(Date.parse(now()), name, type);
        try {
          keptLogo = await keepLogo(db, { tradieId: tradie.id, base: tradie.logo, path, bytes, type }, now());
        } catch (error) {
          toasts.show(notSaved(error, 'Failed to update profile'));
          return { kind: 'failed' };
        }
        const put = isAway ? undefined : await putLogo({ path, bytes, type }, AbortSignal.timeout(logoWaitMs));
        if (put?.kind === 'refused') {
          await undoKeepLogo(db, keptLogo);
          if (keptLogo.replaced.length > 0) logoUploads.wake();
          toasts.show({ title: 'Error', description: put.message, variant: 'destructive' });
          return { kind: 'failed' };
        }
        if (put?.kind === 'up') logoUrl = put.ref;
        else logoUploads.wake();
      }
      const isLogoLater = logo !== undefined && logoUrl === undefined;
      if (isLogoLater && Object.keys(args.set).length === 0 && rejectedUid === undefined) {
        toasts.show({ title: savedForLater(connection.current().kind) });
        const own = draft();
        if (own !== undefined) await db.drafts.delete(own);
        return { kind: 'saved' };
      }
      const kept = await mutate(
        logoUrl === undefined
          ? args
          : { ...args, set: { ...args.set, logo: logoUrl }, base: { ...args.base, logo: tradie.logo } },
        {
          fallback: 'Failed to update profile',
          companions: {
            dropDraft: draft(),
            ...(keptLogo === undefined || isLogoLater
              ? {}
              : {
                  changeDraft: {
                    key: keptLogo.key,
                    value: { ...keptLogo.logo, state: 'uploaded' } satisfies WaitingLogo,
                  },
                }),
            ...(rejectedUid === undefined ? {} : { dropRejected: rejectedUid }),
          },
        },
      );
      if (kept.kind === 'accepted' && isLogoLater)
        toasts.show({
          title: 'Profile Updated',
          description: 'Your new logo is saved on this phone and follows by itself.',
        });
      return kept;
    },
    [connection, db, isAway, logoUploads, mutate, now, putLogo, toasts, tradie],
  );
  return { may, save };
}

/** The new logo that storage has not taken yet, if there is one. */
export function useWaitingLogo(db: PersonDb): WaitingLogo | undefined {
  const logo = useLive(() => findWaitingLogo(db), [db]);
  return logo.state === 'ready' ? logo.value : undefined;
}
