import { useContext, useEffect, useRef, useState, type ReactElement } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Header } from 'react-aria-components/Header';
import { Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components/Menu';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import { NavigateContext } from './navigate-context.ts';
import styles from './menu.module.css';

export type MenuEntry = {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  /** Goes there; otherwise `onAction` gets the id. */
  readonly href?: string;
};

/** Things of which one, or each by itself, is chosen: the menu stays open. */
export type MenuChoice = {
  readonly id: string;
  /** The words over its options; only spoken where there is one. */
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly label: string; readonly icon?: IconName }[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
};

type MenuProps = {
  /** The button that opens it; its words name the menu. */
  readonly trigger: ReactElement;
  readonly entries: readonly (MenuEntry | MenuChoice)[];
  readonly onAction?: (id: string) => void;
  /** Spoken name of the list. */
  readonly label: string;
  /** Open from the first render on, for a press that came before it. */
  readonly isOpenAtFirst?: boolean;
};

/** A short list of things to do behind a button. Arrow keys, type-ahead and Escape come with it. */
export function Menu({ trigger, entries, onAction, label, isOpenAtFirst = false }: MenuProps) {
  const navigate = useContext(NavigateContext);
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLSpanElement>(null);
  // What was pressed before this came is gone: closing gives the focus back to what had it at the opening, so the
  // trigger has it first.
  useEffect(() => {
    if (!isOpenAtFirst) return;
    whole.current?.querySelector('button')?.focus({ preventScroll: true });
    setOpen(true);
  }, [isOpenAtFirst]);
  const menu = (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <span ref={whole} className={styles.trigger}>
        {trigger}
      </span>
      <Popover className={cx(styles.popover)} placement="bottom end">
        <AriaMenu className={cx(styles.menu)} aria-label={label} onAction={(key) => onAction?.(String(key))}>
          {entries.map((entry) =>
            'options' in entry ? (
              <Choice key={entry.id} {...entry} />
            ) : (
              <MenuItem
                key={entry.id}
                id={entry.id}
                textValue={entry.label}
                className={cx(styles.item)}
                {...(entry.href === undefined ? {} : { href: entry.href })}
              >
                {entry.icon !== undefined && <Icon name={entry.icon} />}
                <span>{entry.label}</span>
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
  return navigate === undefined ? menu : <RouterProvider navigate={navigate}>{menu}</RouterProvider>;
}

function Choice({ label, options, chosen, onChoose }: MenuChoice) {
  const isOne = options.length > 1;
  return (
    <MenuSection
      className={cx(styles.choice)}
      aria-label={label}
      selectionMode={isOne ? 'single' : 'multiple'}
      disallowEmptySelection={isOne}
      selectedKeys={chosen}
      onSelectionChange={(keys) => onChoose(keys === 'all' ? options.map(({ id }) => id) : [...keys].map(String))}
      shouldCloseOnSelect={false}
    >
      {isOne && <Header className={styles.over}>{label}</Header>}
      {options.map((option) => (
        <MenuItem key={option.id} id={option.id} textValue={option.label} className={cx(styles.item)}>
          {option.icon !== undefined && <Icon name={option.icon} />}
          <span>{option.label}</span>
          <span className={styles.chosen}>
            <Icon name="check" />
          </span>
        </MenuItem>
      ))}
    </MenuSection>
  );
}
