import type { ReactNode } from 'react';
import { useOpenSignIn } from '../../context/app-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Shown to a visitor who is signed out where a screen is for members. */
export function SignInPrompt({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  const openSignIn = useOpenSignIn();
  return (
    <EmptyState
      picture="locked"
      title={title}
      action={
        action ?? (
          <Button variant="primary" onPress={openSignIn}>
            Sign In
          </Button>
        )
      }
    >
      {children}
    </EmptyState>
  );
}
