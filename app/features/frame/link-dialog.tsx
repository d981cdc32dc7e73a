import type { SessionContext, LinkQuestion } from '../../context/app-context.ts';
import { useUnsentNames } from '../../hooks/use-unsent-names.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './log-out-dialog.module.css';

type LinkDialogProps = { readonly context: SessionContext; readonly question: LinkQuestion };

/** A mailed link would sign in another person than the one who is signed in: nothing happens before they agree (S9). */
export function LinkDialog({ context, question: { here, comingEmail, answer } }: LinkDialogProps) {
  const unsent = useUnsentNames(context);
  const names = unsent.state === 'ready' ? unsent.value.names : [];
  return (
    <Dialog
      title="Switch to another account?"
      isAlert
      isOpen
      onOpenChange={(isOpen) => !isOpen && answer(false)}
      actions={
        <>
          <Button onPress={() => answer(false)}>Stay signed in</Button>
          <Button variant="primary" onPress={() => answer(true)}>
            Switch account
          </Button>
        </>
      }
    >
      <div className={styles.words}>
        <p>
          You are signed in as <strong className={styles.address}>{here.email}</strong>. The link you opened is for{' '}
          <strong className={styles.address}>{comingEmail}</strong>.
        </p>
        {names.length > 0 && (
          <div>
            <p>
              Not sent yet. If you switch, this stays on this phone and goes out when you sign in as {here.email} again:
            </p>
            <ul>
              {names.map((name, at) => (
                <li key={at}>{name}</li>
              ))}
            </ul>
          </div>
        )}
        <p>
          {unsent.state === 'failed' &&
            'We could not read what is waiting on this phone; if you switch, it stays here. '}
          If you stay, the link is used up: ask for a new one when you need it.
        </p>
      </div>
    </Dialog>
  );
}
