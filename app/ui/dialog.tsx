import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { useGoOn } from './toasts-context.ts';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  /** Called with false by the cross, Escape or a press outside. */
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
  /** A way back one step, shown before the title. */
  readonly onBack?: () => void;
  /** False holds the dialog open against Escape and presses outside, as while money is under way. */
  readonly isDismissable?: boolean;
  /** Something is typed that would be lost: a press outside or Escape does nothing; the cross still closes. */
  readonly isHeld?: boolean;
  /** Buttons at the foot, the main one last. */
  readonly actions?: ReactNode;
  /** Says this interrupts and needs an answer. */
  readonly isAlert?: boolean;
};

/** A window over the page: keeps focus inside, gives it back on closing. On a phone it rises from the foot. */
export function Dialog({
  title,
  isOpen,
  onOpenChange,
  children,
  onBack,
  isDismissable = true,
  isHeld = false,
  actions,
  isAlert = false,
}: DialogProps) {
  useGoOn(isOpen);
  return (
    <ModalOverlay
      className={cx(styles.overlay)}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable && !isHeld}
      isKeyboardDismissDisabled={!isDismissable || isHeld}
    >
      <Modal className={cx(styles.modal)}>
        <AriaDialog className={cx(styles.dialog)} role={isAlert ? 'alertdialog' : 'dialog'}>
          <div className={styles.head}>
            {onBack !== undefined && <Button variant="plain" icon="arrowLeft" iconOnlyLabel="Back" onPress={onBack} />}
            <Heading slot="title" level={2} className={cx(styles.title)}>
              {title}
            </Heading>
            {isDismissable && (
              <Button variant="plain" icon="cross" iconOnlyLabel="Close" onPress={() => onOpenChange(false)} />
            )}
          </div>
          <div className={styles.body}>{children}</div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
