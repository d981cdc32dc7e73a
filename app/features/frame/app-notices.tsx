import { useApp, useOpenSignIn, useAuthState, type SessionContext } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { waitingOf, waitingWords } from '../../words/waiting.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { count, words } from '../../words/common-words.ts';
import styles from './app-notices.module.css';
import { HeldNotice } from './held-notice.tsx';
import { useSyncStatus } from '../../hooks/use-sync-status.ts';

/** Notices about the app itself: a newer version, the offer to install, a session that ended, storage that would not open. */
export function AppNotices() {
  const authState = useAuthState();
  return (
    <div className={styles.notices}>
      <UpdateNotice />
      {authState.kind === 'signed-out' && <LostNotice />}
      {authState.kind === 'signed-in' && <TakenOverNotice email={authState.email} />}
      {authState.kind === 'signed-in' && <LinkQuestion context={authState.context} />}
      {authState.kind === 'signed-in' && (
        <SessionNotices context={authState.context} needsSignIn={authState.needsSignIn} />
      )}
      {authState.kind === 'signed-in' && <HeldNotice context={authState.context} />}
      {authState.kind === 'signed-in' && <Reminders key={authState.context.userId} context={authState.context} />}
      <InstallNotice />
    </div>
  );
}

function UpdateNotice() {
  const { update, dirtyForms } = useApp();
  const state = useWatched(update.state);
  const isHeld = useWatched(dirtyForms) > 0;
  if (state === 'none' || isHeld) return null;
  return (
    <Banner tone="info" actions={<Button onPress={update.accept}>Reload</Button>}>
      {words.newVersion}
    </Banner>
  );
}

const clearedTitle = 'This browser has cleared what was saved on this phone';

function LostNotice() {
  const openSignIn = useOpenSignIn();
  if (!useWatched(useApp().isPersonLost)) return null;
  return (
    <Banner tone="warn" title={clearedTitle} actions={<Button onPress={openSignIn}>Sign In</Button>}>
      Sign in again: what the server has comes back, and so does what we have a copy of.
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

const loadReminders = () => import('./reminder-notices.tsx');

/** Only for who keeps jobs for later; their code is no part of the frame. */
function Reminders({ context }: { readonly context: SessionContext }) {
  const { log } = useApp();
  const person = useWatched(context.person);
  const isTradie = person.state === 'ready' && person.value?.isTradie === true;
  const part = useDeferredImport(isTradie, loadReminders, (fault) => log('reminders', String(fault)));
  return isTradie && part !== undefined ? <part.ReminderNotices context={context} /> : null;
}

const loadLinkDialog = () => import('./link-dialog.tsx');

/** Rarely shown, so the dialog's code is fetched when it is needed. Where that fails, the person who is signed in stays. */
function LinkQuestion({ context }: { readonly context: SessionContext }) {
  const { linkQuestion, toasts } = useApp();
  const question = useWatched(linkQuestion);
  const isAsked = question !== null && question.here.userId === context.userId;
  const dialog = useDeferredImport(isAsked, loadLinkDialog, () => {
    question?.answer(false);
    toasts.show({ title: 'Error', description: words.needSignal, variant: 'destructive' });
  });
  return isAsked && dialog !== undefined ? <dialog.LinkDialog context={context} question={question} /> : null;
}

function InstallNotice() {
  const { install, alertOffer } = useApp();
  const state = useWatched(install.state);
  // One question at a time.
  const isAsked = useWatched(alertOffer) !== null;
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

function SessionNotices({ context, needsSignIn }: { readonly context: SessionContext; readonly needsSignIn: boolean }) {
  const { sync } = context;
  const status = useSyncStatus(sync);
  const restoredChanges = useWatched(context.restoredChanges);
  const openSignIn = useOpenSignIn();
  const way = useUnsynced(context);
  const waiting = way.state === 'ready' ? waitingWords(waitingOf(way.value)) : undefined;
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
      {status.evictions > 0 && (
        <Banner tone="warn" title={clearedTitle} onDismiss={sync.dismissEviction}>
          {status.lastSynced === null
            ? 'What the server has comes back once it has answered.'
            : 'We have fetched what the server has.'}{' '}
          {restoredChanges === 0
            ? 'Changes that were not sent yet are lost.'
            : `We had a copy of what was not sent: ${count(restoredChanges, 'change')}.`}
        </Banner>
      )}
    </>
  );
}
