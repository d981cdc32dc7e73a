import { useEffect, type ReactNode } from 'react';
import { LinkButton } from './link-button.tsx';
import { QuickButton } from './quick-button.tsx';
import styles from './page.module.css';
import { useNavigationFocus } from './page-visits.ts';
import { isPlainClick } from './text-link.tsx';

type PageProps = {
  /** The one h1; also the title of the tab, before "· Dwang". */
  readonly title: string;
  readonly children: ReactNode;
  /** Goes back; the button stands above the heading. */
  readonly onBack?: () => void;
  /** Where the way back leads in a document without the app, and in a new tab: it is a link then. */
  readonly backHref?: string;
  /** The words of the way back, as "Back to Jobs". */
  readonly backLabel?: string;
  /** One or two sentences under the heading. */
  readonly lead?: ReactNode;
  /** Beside the heading where there is room. */
  readonly actions?: ReactNode;
  /**
   * 'reading' keeps text and forms to a comfortable measure; 'wide' is for lists with a panel; 'full' for a list and
   * what is in it, side by side.
   */
  readonly width?: 'reading' | 'wide' | 'full';
};

/**
 * A screen: its heading takes the focus when one arrives by a link inside the app, so that a screen reader
 * says where one is; the very first screen leaves the focus alone. Give a new `key` to another thing of the same kind.
 */
export function Page({
  title,
  children,
  onBack,
  backHref,
  backLabel = 'Back',
  lead,
  actions,
  width = 'reading',
}: PageProps) {
  const heading = useNavigationFocus();
  useEffect(() => {
    document.title = `${title} · Dwang`;
  }, [title]);

  return (
    <div className={styles.page} data-width={width}>
      <header className={styles.head}>
        {backHref !== undefined && (
          <div className={styles.back}>
            <LinkButton
              href={backHref}
              variant="plain"
              icon="arrowLeft"
              data-back=""
              onClick={(event) => {
                if (onBack === undefined || !isPlainClick(event)) return;
                event.preventDefault();
                onBack();
              }}
            >
              {backLabel}
            </LinkButton>
          </div>
        )}
        {backHref === undefined && onBack !== undefined && (
          <div className={styles.back}>
            <QuickButton variant="plain" icon="arrowLeft" onPress={onBack}>
              {backLabel}
            </QuickButton>
          </div>
        )}
        <div className={styles.words}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <div className={styles.lead}>{lead}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
