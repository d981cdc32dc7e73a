import { useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './field-lock.module.css';

type FieldLockProps = {
  readonly isLocked: boolean;
  readonly children: ReactNode;
};

/**
 * The fields of a form, locked while it is being saved: what is changed then would not be sent. `inert` and not a
 * disabled fieldset, because a press on a React Aria label changes its box even so. Focus that was in a field returns
 * to it.
 */
export function FieldLock({ isLocked, children }: FieldLockProps) {
  const fields = useRef<HTMLDivElement>(null);
  const held = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isLocked) {
      const { activeElement } = document;
      held.current =
        activeElement instanceof HTMLElement && fields.current?.contains(activeElement) === true ? activeElement : null;
      return;
    }
    if (document.activeElement === document.body) held.current?.focus();
    held.current = null;
  }, [isLocked]);
  return (
    <div ref={fields} className={styles.fields} inert={isLocked}>
      {children}
    </div>
  );
}
