import { SignInLink } from '../../parts/sign-in-link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import styles from './visitor-nav.module.css';

/** The header's links for a person who is signed out. `isUnknown`: nobody has read yet whether they are. */
export function VisitorNav({ isUnknown }: { readonly isUnknown: boolean }) {
  return (
    <div className={styles.visitor} data-unknown={isUnknown || undefined}>
      <LinkButton href="/find-tradies" variant="plain">
        Find Tradies
      </LinkButton>
      <SignInLink variant="primary">Login / Sign Up</SignInLink>
    </div>
  );
}
