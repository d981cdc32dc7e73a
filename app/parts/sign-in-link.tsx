import type { ReactNode } from 'react';
import { useOpenSignIn } from '../context/app-context.ts';
import { signInHref } from '../lib/sign-in-href.ts';
import { LinkButton } from '../ui/link-button.tsx';
import type { ButtonVariant } from '../ui/quick-button.tsx';
import { isPlainClick } from '../ui/text-link.tsx';

type SignInLinkProps = { readonly children: ReactNode; readonly variant?: ButtonVariant };

/** Opens the sign-in dialog. A real link: in a document that the app has not taken over it leads to the same dialog. */
export function SignInLink({ children, variant = 'quiet' }: SignInLinkProps) {
  const openSignIn = useOpenSignIn();
  return (
    <LinkButton
      href={signInHref}
      variant={variant}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        openSignIn();
      }}
    >
      {children}
    </LinkButton>
  );
}
