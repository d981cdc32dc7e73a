import { useWho } from '../../app-context.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { UserMenu } from './user-menu.tsx';
import { WaitingLink } from './waiting-link.tsx';

type MainNavProps = { readonly onSignIn: () => void; readonly onLogOut: () => void };

/** The links and buttons of the header (specification section 2, "Header"). */
export function MainNav({ onSignIn, onLogOut }: MainNavProps) {
  const who = useWho();
  if (who.kind === 'signed-in') {
    return (
      <>
        <WaitingLink house={who.house} />
        <LinkButton href="/dashboard" variant="plain">
          Dashboard
        </LinkButton>
        <UserMenu house={who.house} onLogOut={onLogOut} />
      </>
    );
  }
  return (
    <>
      <LinkButton href="/find-tradies" variant="plain">
        Find Tradies
      </LinkButton>
      <Button variant="primary" onPress={onSignIn}>
        Login / Sign Up
      </Button>
    </>
  );
}
