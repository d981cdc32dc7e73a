import type { ReactNode } from 'react';
import { useOpenSignInFor } from '../context/app-context.ts';
import { signInHref, type Intention } from '../lib/sign-in-href.ts';
import { LinkButton } from '../ui/link-button.tsx';
import type { ButtonVariant } from '../ui/quick-button.tsx';
import { isPlainClick } from '../ui/text-link.tsx';

type SignInLinkProps = {
  readonly children: ReactNode;
  readonly variant?: ButtonVariant;
  /** Where it leads on to, once the person is signed in. */
  readonly intention?: Intention;
};

/** Opens the sign-in dialog. A real link: in a document that the app has not taken over it leads to the same dialog. */
export function SignInLink({ children, variant = 'quiet', intention }: SignInLinkProps) {
  const openSignIn = useOpenSignInFor();
  return (
    <LinkButton
      href={signInHref(intention)}
      variant={variant}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        openSignIn(intention);
      }}
    >
      {children}
    </LinkButton>
  );
}
