import { useOpenSignInFor } from '../context/app-context.ts';
import type { Intention } from '../lib/sign-in-href.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import styles from './please-sign-in.module.css';

/** What a visitor who is signed out sees where a screen is for members: the reason, the dialog, and the way home. */
export function PleaseSignIn({ title, intention }: { readonly title: string; readonly intention?: Intention }) {
  const openSignIn = useOpenSignInFor();
  return (
    <EmptyState
      picture="locked"
      title={title}
      action={
        <div className={styles.actions}>
          <Button variant="primary" onPress={() => openSignIn(intention)}>
            Sign In
          </Button>
          <LinkButton href="/">Go to Home</LinkButton>
        </div>
      }
    />
  );
}
