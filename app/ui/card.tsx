import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from './cx.ts';
import { TextLink } from './text-link.tsx';
import styles from './card.module.css';

type CardProps = {
  readonly children: ReactNode;
  /** 'article' for one of a list, 'section' for a part of the page. */
  readonly as?: 'div' | 'article' | 'section';
  /** A row of a list, which a line divides from the next, and not a box. */
  readonly isRow?: boolean;
  /** Id of the heading that names a section. */
  readonly labelledBy?: string;
};

/** A separate item. With a `CardLink` inside, the whole card can be pressed. */
export function Card({ children, as: Element = 'div', isRow = false, labelledBy }: CardProps) {
  return (
    <Element className={styles.card} data-row={isRow || undefined} aria-labelledby={labelledBy}>
      {children}
    </Element>
  );
}

type CardLinkProps = Omit<ComponentProps<typeof TextLink>, 'className'>;

/** The one link of a card: put it in the heading; it stretches over the card, and stays one stop for the keyboard. */
export function CardLink({ onClick, ...rest }: CardLinkProps) {
  /** Its heading goes with it to the page that opens (theme.css). */
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    for (const before of document.querySelectorAll('[data-opened]')) before.removeAttribute('data-opened');
    event.currentTarget.parentElement?.setAttribute('data-opened', '');
    onClick?.(event);
  };
  return <TextLink {...rest} onClick={follow} className={cx(styles.link)} />;
}
