import { useLayoutEffect, useRef } from 'react';
import type { InlinedDirectory } from '../../../shared/inlined.ts';
import { keepFocus } from '../../lib/keep-focus.ts';
import { keepMeasuredRows } from '../../lib/measured-rows.ts';
import styles from './first-tradies.module.css';
import { TradieCard } from './tradie-card.tsx';

type FirstTradiesProps = {
  readonly inlined: InlinedDirectory;
  /** `TradieList`'s, which takes this one's place: it begins with the heights of these rows, so that nothing moves. */
  readonly keeper?: object;
};

/** The beginning of the directory as it came with the page: before the app, and until the app has its own rows. */
export function FirstTradies({ inlined: { total, cards }, keeper }: FirstTradiesProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (keeper === undefined || list.current === null) return;
    const items = [...list.current.children].map((item) => item.getBoundingClientRect());
    const columns = items.filter(({ top }) => top === items[0]?.top).length || 1;
    const tops = items.filter((_item, at) => at % columns === 0).map(({ top }) => top);
    const rows = tops.slice(1).map((next, index) => {
      const [start, end] = [tops[index] ?? next, next];
      return { key: cards[index * columns]?.id ?? index, index, start, end, size: end - start, lane: 0 };
    });
    keepMeasuredRows(keeper, { columns, rows, height: undefined });
  }, [cards, keeper]);
  // The card that has the focus keeps it in the list that takes this one's place.
  useLayoutEffect(() => {
    const { current } = list;
    return () => {
      const again = current === null ? undefined : keepFocus(current, document.body);
      requestAnimationFrame(() => document.activeElement === document.body && again?.());
    };
  }, []);
  return (
    <div role="list" ref={list} className={styles.list}>
      {cards.map((card, at) => (
        <div role="listitem" key={card.id} aria-setsize={total} aria-posinset={at + 1} className={styles.item}>
          <TradieCard tradie={card} trades={card.trades} place={card.place} />
        </div>
      ))}
    </div>
  );
}
