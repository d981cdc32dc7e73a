import { useEffect } from 'react';
import { privateTableNames } from '../../../shared/tables/index.ts';
import { maxCounted } from '../../../shared/lib/kept-note.ts';
import { useApp, useAuthState, useOpenSignIn, type SessionContext, type Unsent } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { withConnection } from '../../db/connection.ts';
import type { PersonDb } from '../../db/person-db.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useSyncStatus } from '../../hooks/use-sync-status.ts';
import type { Restored } from '../../sync/journal.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { count } from '../../words/common-words.ts';
import { formatDay } from '../../words/dates.ts';
import styles from './rare-notices.module.css';

const clearedTitle = 'This browser has cleared what was saved on this phone';

export function RareNotices() {
  const authState = useAuthState();
  return (
    <>
      {authState.kind === 'signed-out' && <LostNotice />}
      {authState.kind === 'signed-in' && <UnsentNotice />}
      {authState.kind === 'signed-in' && <TakenOverNotice email={authState.email} />}
      <InstallNotice />
    </>
  );
}

/** The same while the person stays signed in: the page was open. */
export function EvictionNotice({ context: { sync, restoredChanges } }: { readonly context: SessionContext }) {
  const status = useSyncStatus(sync);
  const restored = useWatched(restoredChanges);
  if (status.evictions === 0) return null;
  return (
    <Banner tone="warn" title={clearedTitle} onDismiss={sync.dismissEviction}>
      {status.lastSynced === null
        ? 'What the server has comes back once it has answered.'
        : 'We have fetched what the server has.'}{' '}
      {restored === 0
        ? 'Changes that were not sent yet are lost.'
        : `We had a copy of what was not sent: ${count(restored, 'change')}.`}
    </Banner>
  );
}

/**
 * The server's database was restored: what that has taken from this phone, said once. Over the page, at its foot: it
 * comes while one reads, and nothing of the page moves for it.
 */
export function RestoredNotice({ context }: { readonly context: SessionContext }) {
  const { db } = context;
  const { gone, wentBack, hasReturned } = useGone(context);
  const keep = useLocalWrite();
  const { log } = useApp();
  useEffect(() => {
    if (hasReturned)
      withConnection(db, () => forgetReturned(db)).catch((error: unknown) => log('restored-count', String(error)));
  }, [db, hasReturned, log]);
  const dismiss = () => void keep(() => withConnection(db, () => markRead(db)));
  const words = [
    ...(gone > 0 ? [`${count(gone, 'item')} newer than that ${gone === 1 ? 'is' : 'are'} gone from this phone`] : []),
    ...(wentBack > 0 ? [`${count(wentBack, 'item')} ${wentBack === 1 ? 'is' : 'are'} as before a later change`] : []),
  ];
  if (words.length === 0) return null;
  return (
    <div className={styles.over} data-over>
      <Banner tone="warn" title="Dwang was put back to an earlier copy" onDismiss={dismiss}>
        {`${words.join(', and ')}. What other phones made comes back as they connect.`}
      </Banner>
    </div>
  );
}

/** What came back and leaves again later, as things do, was not taken by the restore. */
const forgetReturned = (db: PersonDb) =>
  db.transaction('rw', [...privateTableNames, 'meta'], async () => {
    const restored = (await db.meta.get('restored'))?.value as Restored | undefined;
    if (restored?.left === undefined) return;
    const rows = await Promise.all(restored.left.map(([table, id]) => db.table(table).get(id)));
    const left = restored.left.filter((_key, at) => rows[at] === undefined);
    await db.meta.put({ key: 'restored', value: { ...restored, left } satisfies Restored });
  });

/** The counts are read; another restore may be being counted. */
const markRead = (db: PersonDb) =>
  db.transaction('rw', 'meta', async () => {
    const { older, held } = { ...((await db.meta.get('restored'))?.value as Partial<Restored> | undefined) };
    await (older === undefined
      ? db.meta.delete('restored')
      : db.meta.put({ key: 'restored', value: { gone: 0, older, held } satisfies Restored }));
  });

/** The browser has cleared what was saved, and with it who was signed in. */
function LostNotice() {
  const openSignIn = useOpenSignIn();
  const { isPersonLost, unsent } = useApp();
  const lost = useWatched(unsent);
  if (!useWatched(isPersonLost)) return null;
  return (
    <Banner
      tone="warn"
      title={clearedTitle}
      onDismiss={() => isPersonLost.set(false)}
      actions={<Button onPress={openSignIn}>Sign In</Button>}
    >
      {lost !== null && `${unsentWords(lost)} `}
      Sign in again: what the server has comes back, and so does what we have a copy of.
    </Banner>
  );
}

/** The same after the sign-in, when they can see what is missing. */
function UnsentNotice() {
  const { unsent } = useApp();
  const lost = useWatched(unsent);
  if (lost === null) return null;
  return (
    <Banner tone="warn" title={clearedTitle} onDismiss={() => unsent.set(null)}>
      {unsentWords(lost)}
    </Banner>
  );
}

/** The page was another person's, perhaps while it slept. Nothing of theirs is named here. */
function TakenOverNotice({ email }: { readonly email: string }) {
  const { isTakenOver } = useApp();
  if (!useWatched(isTakenOver)) return null;
  return (
    <Banner tone="warn" title={`This page is now ${email}’s`} onDismiss={() => isTakenOver.set(false)}>
      Somebody signed in with this address elsewhere on this browser. What the person before had not sent is kept here
      until they sign in again.
    </Banner>
  );
}

function InstallNotice() {
  const { install, alerts, alertOffer } = useApp();
  const state = useWatched(install.state);
  const canHaveAlerts = useWatched(alerts.state) === 'off';
  // The person gets one question at a time; a device that cannot have alerts is not asked about them.
  const isAsked = useWatched(alertOffer) !== null && canHaveAlerts;
  if (state === 'none' || isAsked) return null;
  return (
    <Banner
      tone="info"
      title="Keep Dwang on your phone"
      onDismiss={install.dismiss}
      actions={state === 'button' ? <Button onPress={() => void install.install()}>Install</Button> : undefined}
    >
      {state === 'ios'
        ? 'Tap Share, then Add to Home Screen. What you save then stays on this phone.'
        : 'It opens without signal, and sends what you saved by itself.'}
    </Banner>
  );
}

/** Some of them may have been sent before the rest was cleared. */
function numberWords(max: number): string {
  if (max === 1) return 'One thing that';
  return max === maxCounted ? `${max} things or more that` : `Up to ${max} things that`;
}

const unsentWords = ({ sentAt, count: max }: Unsent) =>
  `${max === undefined ? 'Not everything you saved here had been sent' : `${numberWords(max)} you saved here had not been sent`}. Look through what you did since ${formatDay(sentAt)}.`;
