import type { House } from '../../app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';

type UserMenuProps = { readonly house: House; readonly onLogOut: () => void };

/** Become a Tradie (for those who are none), Manage Account, Log Out. */
export function UserMenu({ house, onLogOut }: UserMenuProps) {
  const person = useLive(() => house.db.users.get(house.userId), [house]);
  // Until it is known, nothing is offered that may not be for them.
  const isTradie = person.state !== 'ready' || (person.value !== undefined && person.value.tradieId !== null);
  const entries: MenuEntry[] = [
    ...(isTradie ? [] : [{ id: 'become', label: 'Become a Tradie', icon: 'tools', href: '/become-tradie' } as const]),
    { id: 'account', label: 'Manage Account', icon: 'user', href: '/edit-account' },
    { id: 'log-out', label: 'Log Out', icon: 'logOut' },
  ];
  return (
    <Menu
      label="Your account"
      trigger={<Button variant="plain" icon="user" iconOnlyLabel="Your account" />}
      entries={entries}
      onAction={(id) => {
        if (id === 'log-out') onLogOut();
      }}
    />
  );
}
