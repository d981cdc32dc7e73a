import { useApp, type AuthState } from '../../context/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { words } from '../../words/common-words.ts';
import styles from './start-up.module.css';

/** Full-screen until the session is read, and where it cannot be read. */
export function StartUp({ authState }: { readonly authState: Extract<AuthState, { kind: 'starting' | 'unable' }> }) {
  return authState.kind === 'starting' ? <Starting /> : <Unable message={authState.message} />;
}

export function Starting() {
  return (
    <div className={`${styles.whole} ${styles.waiting}`}>
      <h1>
        <VisuallyHidden>Dwang</VisuallyHidden>
      </h1>
      <Spinner size="lg" label={words.loading} />
    </div>
  );
}

function Unable({ message }: { readonly message: string }) {
  const { retryStart } = useApp();
  return (
    <div className={styles.whole} role="alert">
      <EmptyState
        picture="lost"
        level={1}
        title="We couldn't start"
        action={<QuickButton onPress={retryStart}>Try again</QuickButton>}
      >
        <p>{message}</p>
      </EmptyState>
    </div>
  );
}

/** Over the page, while the code that a press needs is still being fetched; seen only on a slow connection. */
export function Fetching() {
  return (
    <div className={styles.fetching} data-opening="">
      <Spinner size="lg" label={words.loading} />
    </div>
  );
}
