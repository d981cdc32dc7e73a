import { useApp, useOpenSignIn, useAuthState, type SessionContext } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useGone } from '../../hooks/use-gone.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { waitingOf, waitingWords } from '../../words/waiting.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/common-words.ts';
import { whyNotFetched } from '../../words/reach-words.ts';
import styles from './app-notices.module.css';
import { HeldNotice } from './held-notice.tsx';
import { useSyncStatus } from '../../hooks/use-sync-status.ts';

const loadPull = () => import('./pull-to-look.tsx');
const hasTouch = () => 'ontouchstart' in window;

/**
 * Notices about the app itself: a newer version, the offer to install, a session that ended, storage that would not
 * open.
 */
export function AppNotices() {
  const authState = useAuthState();
  const { log } = useApp();
  const pull = useDeferredImport(hasTouch(), loadPull, (fault) => log('pull-to-look', String(fault)));
  return (
    <>
      {authState.kind === 'signed-in' && pull !== undefined && <pull.PullToLook context={authState.context} />}
      <div className={styles.notices} data-passing="">
        <UpdateNotice />
        {authState.kind === 'signed-in' && <LinkQuestion context={authState.context} />}
        {authState.kind === 'signed-in' && (
          <SessionNotices context={authState.context} needsSignIn={authState.needsSignIn} />
        )}
        {authState.kind === 'signed-in' && <HeldNotice context={authState.context} />}
        {authState.kind === 'signed-in' && <Reminders key={authState.context.userId} context={authState.context} />}
        <RareNotices />
      </div>
    </>
  );
}

function UpdateNotice() {
  const { update, dirtyForms } = useApp();
  const state = useWatched(update.state);
  const isHeld = useWatched(dirtyForms) > 0;
  if (state === 'none' || isHeld) return null;
  return (
    <Banner
      tone="info"
      actions={
        <Button onPress={update.accept} isBusy={state === 'taken'} busyText="Reloading…">
          Reload
        </Button>
      }
    >
      {words.newVersion}
    </Banner>
  );
}

const loadRare = () => import('./rare-notices.tsx');

/**
 * What few people see, so that its code is no part of the frame: that this browser has cleared what was saved, and the
 * offer to install.
 */
function RareNotices() {
  const { isPersonLost, unsent, isTakenOver, install, log } = useApp();
  const isNeeded = [useWatched(isPersonLost), useWatched(unsent), useWatched(isTakenOver)].some(Boolean);
  const isOffered = useWatched(install.state) !== 'none';
  const rare = useDeferredImport(isNeeded || isOffered, loadRare, (fault) => log('rare-notices', String(fault)));
  return rare === undefined ? null : <rare.RareNotices />;
}

const loadReminders = () => import('./reminder-notices.tsx');

/** Only for who keeps jobs for later; their code is no part of the frame. */
function Reminders({ context }: { readonly context: SessionContext }) {
  const { log } = useApp();
  const person = useWatched(context.person);
  const isTradie = person.state === 'ready' && person.value?.isTradie === true;
  const part = useDeferredImport(isTradie, loadReminders, (error) => log('reminders', String(error)));
  return isTradie && part !== undefined ? <part.ReminderNotices context={context} /> : null;
}

const loadLinkDialog = () => import('./link-dialog.tsx');

/**
 * Rarely shown, so the dialog's code is fetched when it is needed. Where that fails, the person who is signed in stays.
 */
function LinkQuestion({ context }: { readonly context: SessionContext }) {
  const { linkQuestion, toasts, connection } = useApp();
  const question = useWatched(linkQuestion);
  const isAsked = question !== null && question.here.userId === context.userId;
  const dialog = useDeferredImport(isAsked, loadLinkDialog, () => {
    question?.answer(false);
    toasts.show({ title: 'Error', description: whyNotFetched(connection.current().kind), variant: 'destructive' });
  });
  return isAsked && dialog !== undefined ? <dialog.LinkDialog context={context} question={question} /> : null;
}

function SessionNotices({ context, needsSignIn }: { readonly context: SessionContext; readonly needsSignIn: boolean }) {
  const { log } = useApp();
  const status = useSyncStatus(context.sync);
  const openSignIn = useOpenSignIn();
  const { gone, wentBack, hasReturned } = useGone(context);
  // The last one that returns counts too, which the notice forgets.
  const isRestored = gone + wentBack > 0 || hasReturned;
  const way = useUnsynced(context);
  const waiting = way.state === 'ready' ? waitingWords(waitingOf(way.value)) : undefined;
  const rare = useDeferredImport(status.evictions > 0 || isRestored, loadRare, (fault) =>
    log('rare-notices', String(fault)),
  );
  const reload = <Button onPress={() => window.location.reload()}>Reload</Button>;
  return (
    <>
      {(needsSignIn || status.phase === 'needs-sign-in') && (
        <Banner tone="warn" actions={<Button onPress={openSignIn}>Sign In</Button>}>
          {waiting === undefined ? 'Sign in again to get new jobs and answers.' : `Sign in again to send ${waiting}.`}
        </Banner>
      )}
      {status.phase === 'needs-update' && (
        <Banner tone="warn" title="This version of Dwang is too old to send" actions={reload}>
          What you saved stays on this phone and goes out once you have reloaded.
        </Banner>
      )}
      {status.isReplaced && (
        <Banner tone="warn" actions={reload}>
          Another tab has a newer version of Dwang, or has emptied this phone. Reload to go on here.
        </Banner>
      )}
      {status.isDiskSilent && (
        <Banner tone="bad" title="This phone's storage has stopped answering" actions={reload}>
          What was called saved is kept. Copy what you are typing if you need it, then reload.
        </Banner>
      )}
      {status.isOpenBlocked && (
        <Banner tone="warn">Another tab is holding what is saved on this phone. Close the other Dwang tabs.</Banner>
      )}
      {status.phase === 'storage-blocked' && (
        <Banner
          tone="bad"
          title={status.isStorageFull ? 'This device has no room left' : "We couldn't read what is saved on this phone"}
        >
          We keep trying. Nothing has been thrown away.
        </Banner>
      )}
      {isRestored && rare !== undefined && <rare.RestoredNotice context={context} />}
      {rare !== undefined && <rare.EvictionNotice context={context} />}
    </>
  );
}
