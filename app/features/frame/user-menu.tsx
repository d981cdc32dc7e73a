import { useState } from 'react';
import { chooseLook, readLook, type Look } from '../../lib/person-look.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuChoice, type MenuEntry } from '../../ui/menu.tsx';

type UserMenuProps = {
  readonly userId: string;
  readonly mayBecomeTradie: boolean;
  readonly onLogOut: () => void;
  readonly isOpenAtFirst?: boolean;
};

const sizes: readonly { readonly id: Look['text']; readonly label: string }[] = [
  { id: 'usual', label: 'Usual' },
  { id: 'large', label: 'Large' },
  { id: 'largest', label: 'Largest' },
];

/** How the product looks to this person on this device, as two parts of their menu. */
function useLook(userId: string): readonly MenuChoice[] {
  const [look, setLook] = useState(() => readLook(localStorage, userId));
  const choose = (part: Partial<Look>) => {
    const next = { ...look, ...part };
    chooseLook(localStorage, document.documentElement, userId, next);
    setLook(next);
  };
  return [
    {
      id: 'light',
      label: 'Light',
      options: [{ id: 'sun', label: 'Sun mode', icon: 'sun' }],
      chosen: look.theme === 'sun' ? ['sun'] : [],
      onChoose: (chosen) => choose({ theme: chosen.includes('sun') ? 'sun' : 'usual' }),
    },
    {
      id: 'text',
      label: 'Text size',
      options: sizes,
      chosen: [look.text],
      onChoose: (chosen) => choose({ text: sizes.find(({ id }) => chosen.includes(id))?.id ?? 'usual' }),
    },
  ];
}

/** Become a Tradie (for a homeowner), Manage Account, sun mode and text size, Log Out. */
export function UserMenu({ userId, mayBecomeTradie, onLogOut, isOpenAtFirst = false }: UserMenuProps) {
  const look = useLook(userId);
  const entries: (MenuEntry | MenuChoice)[] = [
    ...(mayBecomeTradie
      ? [{ id: 'become', label: 'Become a Tradie', icon: 'tools', href: '/become-tradie' } as const]
      : []),
    { id: 'account', label: 'Manage Account', icon: 'user', href: '/edit-account' },
    ...look,
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
