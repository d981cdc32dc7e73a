import { Button } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';

type UserMenuProps = {
  readonly mayBecomeTradie: boolean;
  readonly onLogOut: () => void;
  readonly isOpenAtFirst?: boolean;
};

/** Become a Tradie (for a homeowner), Manage Account, Log Out. */
export function UserMenu({ mayBecomeTradie, onLogOut, isOpenAtFirst = false }: UserMenuProps) {
  const entries: MenuEntry[] = [
    ...(mayBecomeTradie
      ? [{ id: 'become', label: 'Become a Tradie', icon: 'tools', href: '/become-tradie' } as const]
      : []),
    { id: 'account', label: 'Manage Account', icon: 'user', href: '/edit-account' },
    { id: 'log-out', label: 'Log Out', icon: 'logOut' },
  ];
  return (
    <Menu
      label="Your account"
      trigger={<Button variant="plain" icon="user" iconOnlyLabel="Your account" />}
      entries={entries}
      isOpenAtFirst={isOpenAtFirst}
      onAction={(id) => {
        if (id === 'log-out') onLogOut();
      }}
    />
  );
}
