import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useVirtualList } from './use-virtual-list.ts';

/** What the browser says of a row's size comes when the test wants it. */
let observers: { tell: ResizeObserverCallback; rows: Set<Element> }[];

beforeEach(() => {
  observers = [];
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(150);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly rows = new Set<Element>();
      constructor(tell: ResizeObserverCallback) {
        observers.push({ tell, rows: this.rows });
      }
      observe(row: Element) {
        this.rows.add(row);
      }
      unobserve(row: Element) {
        this.rows.delete(row);
      }
      disconnect() {
        this.rows.clear();
      }
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const likelyHeight = 100;
const keyOf = (row: number) => row;

function List({ keeper }: { readonly keeper: object }) {
  const { list, virtual } = useVirtualList<HTMLDivElement>({ rows: 1_000, likelyHeight, keyOf, keeper });
  return (
    <div role="list" ref={list} style={{ blockSize: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index }) => (
        <div key={key} role="listitem" data-index={index} ref={virtual.measureElement} />
      ))}
    </div>
  );
}

const height = () => screen.getByRole('list').style.blockSize;

/** The browser tells of every row in the page that it is so high. */
async function measure(blockSize: number): Promise<void> {
  await act(async () => {
    for (const { tell, rows } of observers) {
      const entries = [...rows]
        .filter((row) => row.hasAttribute('data-index'))
        .map(
          (target) => ({ target, borderBoxSize: [{ blockSize, inlineSize: 390 }] }) as unknown as ResizeObserverEntry,
        );
      if (entries.length > 0) tell(entries, {} as ResizeObserver);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

test('Back to the middle of a list, on a slow phone: rows that are not shown for a moment keep their height, and the list its place', async () => {
  render(<List keeper={{}} />);
  const rows = screen.getAllByRole('listitem').length;
  expect(rows).toBeGreaterThan(5);
  const measured = height();
  // What has been drawn is as high as it is, the rest as high as is likely.
  expect(Number.parseInt(measured, 10)).toBeGreaterThanOrEqual(1_000 * likelyHeight + rows * 50);
  const scrollTo = vi.spyOn(window, 'scrollTo');
  await measure(0);
  expect(height()).toBe(measured);
  expect(scrollTo).not.toHaveBeenCalled();
});
