import { SignInLink } from '../../parts/sign-in-link.tsx';
import styles from './sign-in-for-contact.module.css';

/** In place of email and phone. `isUnknown`: the session has not been read yet. */
export function SignInForContact({ isUnknown = false }: { readonly isUnknown?: boolean }) {
  return (
    <div className={styles.prompt} data-unknown={isUnknown || undefined}>
      <p>Sign in to view contact information and connect with this tradie</p>
      <div>
        <SignInLink variant="primary">Sign In</SignInLink>
      </div>
    </div>
  );
}
