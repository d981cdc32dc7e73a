import { useEffect, useMemo, useState } from 'react';
import { useApp, useAuthState, type App, type SessionContext } from '../../context/app-context.ts';
import { CallRejected } from '../../api/call.ts';
import { useLive } from '../../db/use-live.ts';
import { createCell } from '../../lib/cell.ts';
import { useWatched } from '../../context/use-watched.ts';
import { factsOfInlined, factsOfListed, factsOfProfile, profileOfAnswer, type TradieFacts } from './tradie-facts.ts';
import { inlinedTradie } from './inlined.ts';

export type FoundTradie =
  | { readonly state: 'reading' }
  | {
      readonly state: 'ready';
      readonly facts: TradieFacts;
      /** ISO instant at which the server gave this copy; undefined where that was just now. */
      readonly readAt: string | undefined;
      /** The server answered the new request with an error, in its words. */
      readonly trouble: string | undefined;
      /** A new request is under way. */
      readonly isAsking: boolean;
    }
  | { readonly state: 'not-found' }
  /** No answer came, and this device has no copy: it cannot be said whether there is one. */
  | { readonly state: 'unanswered' };

type Asked =
  | { readonly kind: 'asking' }
  | { readonly kind: 'answered'; readonly facts: TradieFacts }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'refused'; readonly message: string };

const asking: Asked = { kind: 'asking' };
const noDirectory = createCell<Pick<ReturnType<App['directory']['current']>, 'status' | 'updatedAt'>>({
  status: 'absent',
  updatedAt: null,
});

/**
 * A profile, the best there is: one's own private row, with what is still to be sent; else the server's answer; else
 * the copy of an earlier visit; else the directory's; else the one the page came with. Asks again when the connection
 * comes back or a person signs in.
 */
export function useTradie(id: string, ownTradieId: string | null): FoundTradie {
  const { directory, connection } = useApp();
  const { lastSynced } = useWatched(connection);
  const authState = useAuthState();
  const context = authState.kind === 'signed-in' ? authState.context : undefined;
  const written = useMemo(() => inlinedTradie(id), [id]);
  const here = useLive(
    async () =>
      context === undefined ? [] : ([await context.db.tradies.get(id), await context.db.profiles.get(id)] as const),
    [context, id],
  );
  const [privateRows, saved] = here.state === 'ready' ? here.value : [];
  const isOwn = ownTradieId === id && privateRows !== undefined;
  const asked = useAsked(id, context, authState.kind !== 'starting' && here.state !== 'reading');

  // What the server wrote into this document is no older than its directory, which is built now and then. All 5,000 are
  // fetched and read for this one only where it did not come with the page.
  const isInDirectory = written === undefined;
  const collection = useWatched(isInDirectory ? directory : noDirectory);
  const listed = isInDirectory ? directory.find(id) : undefined;

  const registeredName = asked.kind === 'answered' ? asked.facts.details?.registeredName : saved?.registeredName;

  return useMemo((): FoundTradie => {
    const ready = (facts: TradieFacts, readAt?: string): FoundTradie => ({
      state: 'ready',
      facts,
      readAt,
      trouble: asked.kind === 'refused' && !isOwn ? asked.message : undefined,
      isAsking: asked.kind === 'asking' && !isOwn,
    });
    const synced = lastSynced ?? undefined;
    // The register's name comes from the server alone; the rest of one's own is newest here.
    if (isOwn) return ready(factsOfProfile({ ...privateRows, registeredName }), synced);
    if (asked.kind === 'answered') return ready(asked.facts);
    if (asked.kind === 'not-found') return { state: 'not-found' };
    // A tradie who answered one of my jobs is in my private tables, kept current.
    if (privateRows !== undefined) return ready(factsOfProfile(privateRows), synced);
    if (saved !== undefined) return ready(factsOfProfile(saved), saved.readAt);
    if (written !== undefined) return ready(factsOfInlined(written));
    if (listed !== undefined) return ready(factsOfListed(listed), collection.updatedAt ?? undefined);
    if (asked.kind === 'asking' || here.state === 'reading' || collection.status === 'starting')
      return { state: 'reading' };
    return { state: 'unanswered' };
  }, [
    asked,
    privateRows,
    here.state,
    isOwn,
    lastSynced,
    listed,
    registeredName,
    saved,
    written,
    collection.status,
    collection.updatedAt,
  ]);
}

function useAsked(id: string, context: SessionContext | undefined, isWanted: boolean): Asked {
  const { caller, connection, log, now } = useApp();
  const { kind } = useWatched(connection);
  const isReachable = kind === 'online' || kind === 'slow';
  const [asked, setAsked] = useState<Asked>(asking);

  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    setAsked((before) => (before.kind === 'answered' ? before : asking));
    const later = (work: Promise<unknown> | undefined) =>
      void work?.catch((error: unknown) => log('profile-copy', String(error)));
    const ask = async () => {
      const profile = profileOfAnswer(await caller.call('tradies.read', { params: { id }, signal }));
      if (signal.aborted) return;
      setAsked({ kind: 'answered', facts: factsOfProfile(profile) });
      if (context !== undefined && profile.email !== '') later(context.db.profiles.put({ ...profile, readAt: now() }));
    };
    ask().catch((error: unknown) => {
      if (signal.aborted) return;
      const isAbsent = error instanceof CallRejected && (error.status === 404 || error.status === 400);
      if (isAbsent) later(context?.db.profiles.delete(id));
      setAsked((before) => {
        if (isAbsent) return { kind: 'not-found' };
        if (before.kind === 'answered') return before;
        return error instanceof CallRejected
          ? { kind: 'refused', message: error.wordsOr('The server could not answer just now.') }
          : { kind: 'unanswered' };
      });
    });
    return () => leaving.abort();
  }, [caller, context, id, isReachable, isWanted, log, now]);

  return asked;
}
