import { useState } from 'react';
import { useApp, type SessionContext } from '../../context/app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { useLater } from '../../hooks/use-later.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import { words } from '../../words/promises.ts';
import { WaitingLink } from './waiting-link.tsx';

type MemberNavProps = { readonly context: SessionContext; readonly onLogOut: () => void };

const loadMenu = () => import('./user-menu.tsx');

/** The header of a person who is signed in. */
export function MemberNav({ context, onLogOut }: MemberNavProps) {
  return (
    <>
      <WaitingLink context={context} />
      <LinkButton href="/dashboard" variant="plain">
        Dashboard
      </LinkButton>
      <MenuButton context={context} onLogOut={onLogOut} />
    </>
  );
}

/** Menus are 30 kB of code that no first screen needs: they are fetched when the pointer or focus is on the button, and open where it was pressed. */
function MenuButton({ context, onLogOut }: MemberNavProps) {
  const { toasts } = useApp();
  const person = useLive(() => context.db.users.get(context.userId), [context]);
  // Until the person's row is read, nothing is offered that may not be for them.
  const mayBecomeTradie = person.state === 'ready' && (person.value === undefined || person.value.tradieId === null);
  const [wanted, setWanted] = useState<'no' | 'soon' | 'now'>('no');
  const menu = useLater(wanted !== 'no', loadMenu, () => {
    setWanted('no');
    toasts.show({ title: 'Error', description: words.needSignal, variant: 'destructive' });
  });
  if (menu !== undefined && wanted === 'now')
    return <menu.UserMenu mayBecomeTradie={mayBecomeTradie} onLogOut={onLogOut} isOpenAtFirst />;
  return (
    <QuickButton
      variant="plain"
      icon="user"
      iconOnlyLabel="Your account"
      hasMenu
      onPress={() => setWanted('now')}
      onReach={() => setWanted((before) => (before === 'no' ? 'soon' : before))}
    />
  );
}
