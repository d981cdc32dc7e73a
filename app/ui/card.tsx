import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { TextLink } from './text-link.tsx';
import styles from './card.module.css';

type CardProps = {
  readonly children: ReactNode;
  /** 'article' for one of a list, 'section' for a part of the page. */
  readonly as?: 'div' | 'article' | 'section';
  /** Id of the heading that names a section. */
  readonly labelledBy?: string;
};

/** A separate item. With a `CardLink` inside, the whole card can be pressed. */
export function Card({ children, as: Element = 'div', labelledBy }: CardProps) {
  return (
    <Element className={styles.card} aria-labelledby={labelledBy}>
      {children}
    </Element>
  );
}

/** The one link of a card: put it in the heading; it stretches over the card, and stays one stop for the keyboard. */
export function CardLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <TextLink href={href} className={cx(styles.link)}>
      {children}
    </TextLink>
  );
}
