import { useState } from 'react';
import { useApp, type SessionContext } from '../../context/app-context.ts';
import { useUnsentNames } from '../../hooks/use-unsent-names.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { errorWords } from '../../words/error-words.ts';
import styles from './log-out-dialog.module.css';

type LogOutDialogProps = {
  readonly context: SessionContext;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onLoggedOut: () => void;
};

/** Where no unsent thing is named; said to be sent only once that was read. */
const nothingNamed = {
  reading: 'Looking for what has not been sent.',
  ready: 'Everything has been sent.',
  failed: 'We could not read what is waiting on this phone.',
} as const;

const nothing = { names: [], areSure: true };

const alsoRemoved = 'Jobs and drafts kept on this phone are removed.';

/** Of what has left this phone without an answer it is not said that it was not sent: the server may have it. */
function losesWords(count: number, areSure: boolean): string {
  if (areSure)
    return count === 1 ? 'This has not been sent and will be lost:' : 'These have not been sent and will be lost:';
  return count === 1
    ? 'We can’t tell yet whether this was sent. If it was not, it will be lost:'
    : 'We can’t tell yet whether all of these were sent. What was not will be lost:';
}

/** Logging out wipes this device, so the dialog names what was not sent and asks (C10). */
export function LogOutDialog({ context, isOpen, onClose, onLoggedOut }: LogOutDialogProps) {
  const { toasts } = useApp();
  const [isBusy, setBusy] = useState(false);
  const unsent = useUnsentNames(context);
  const leave = async () => {
    setBusy(true);
    try {
      await context.logOut();
      onClose();
      onLoggedOut();
    } catch (error) {
      toasts.show({ title: 'Error', description: errorWords(error, 'Could not log out'), variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  const { names, areSure } = unsent.state === 'ready' ? unsent.value : nothing;
  return (
    <Dialog
      title="Log out?"
      isAlert
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      actions={
        <>
          <Button onPress={onClose}>Stay logged in</Button>
          <Button
            variant={names.length > 0 ? 'danger' : 'primary'}
            isBusy={isBusy}
            isDisabled={unsent.state === 'reading'}
            onPress={leave}
          >
            {names.length > 0 ? 'Log out and lose them' : 'Log Out'}
          </Button>
        </>
      }
    >
      {names.length > 0 ? (
        <div className={styles.words}>
          <p>{losesWords(names.length, areSure)}</p>
          <ul>
            {names.map((name, at) => (
              <li key={at}>{name}</li>
            ))}
          </ul>
          <p>{alsoRemoved}</p>
        </div>
      ) : (
        <p>
          {nothingNamed[unsent.state]} {alsoRemoved}
        </p>
      )}
    </Dialog>
  );
}
