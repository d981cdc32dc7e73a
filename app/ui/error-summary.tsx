import { useEffect, useRef, type MouseEvent } from 'react';
import { Icon } from './icon.tsx';
import styles from './error-summary.module.css';

export type FieldProblemLink = { /** The control's id. */ readonly fieldId: string; readonly message: string };

type ErrorSummaryProps = {
  readonly problems: readonly FieldProblemLink[];
  /** How often the person has tried to submit: each new try with problems brings the focus here. */
  readonly attempt: number;
  readonly title?: string;
};

const focusable = 'input:not([type="hidden"]), select, textarea, button, [tabindex]';

/** A form's problems, in one list, each line leading to its field. Nothing while there is none. */
export function ErrorSummary({ problems, attempt, title }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const count = problems.length;

  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);

  if (count === 0) return null;

  const goTo = (event: MouseEvent, fieldId: string) => {
    event.preventDefault();
    const found = document.getElementById(fieldId);
    const control = found?.matches(focusable) ? found : found?.querySelector<HTMLElement>(focusable);
    control?.focus();
    control?.scrollIntoView?.({ block: 'center' });
  };

  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <h2 className={styles.title}>
        <Icon name="alert" />
        {title ?? (count === 1 ? 'One thing to fix' : `${count} things to fix`)}
      </h2>
      <ul className={styles.list}>
        {problems.map((problem) => (
          <li key={problem.fieldId}>
            <a href={`#${problem.fieldId}`} onClick={(event) => goTo(event, problem.fieldId)}>
              {problem.message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
