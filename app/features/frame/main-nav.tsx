import { useAuthState } from '../../context/app-context.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import styles from './main-nav.module.css';
import type { MemberFrame } from './member-frame.ts';

type MainNavProps = {
  readonly frame: MemberFrame | undefined;
  readonly onSignIn: () => void;
  readonly onLogOut: () => void;
};

export function MainNav({ frame, onSignIn, onLogOut }: MainNavProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in')
    return frame !== undefined && <frame.MemberNav context={authState.context} onLogOut={onLogOut} />;
  return (
    <div className={styles.visitor} data-unknown={authState.kind === 'starting' || undefined}>
      <LinkButton href="/find-tradies" variant="plain">
        Find Tradies
      </LinkButton>
      <QuickButton variant="primary" onPress={onSignIn}>
        Login / Sign Up
      </QuickButton>
    </div>
  );
}
