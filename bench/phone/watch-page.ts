import type { App, SessionContext } from '../../app/context/app-context.ts';

/** Milliseconds since the page's `timeOrigin`. `paintedAt`: the first instant after the frame that shows it. */
export interface Seen {
  shownAt: number;
  paintedAt: number;
}

/**
 * One key pressed in a field. `paintedAt`: the next frame after it. `settledAt`: the frame after the last change of the
 * list that it caused.
 */
export interface Keystroke {
  pressedAt: number;
  paintedAt: number;
  settledAt: number;
}

/** Probes in a page under measurement, installed before any of its own code runs. The product does not know of them. */
export interface PageWatch {
  /** By store: writing transactions that covered it, and when the last of them was complete. */
  durable: Record<string, { count: number; at: number }>;
  /** By store: when the first transaction over it began. */
  firstUsed: Record<string, number>;
  /** Lists of jobs by their length, when each length was first seen. */
  lists: Record<string, Seen>;
  /** The page as it was left stood there before the app. */
  wasKept: boolean;
  keystrokes: Keystroke[];
  onlineAt: number;
  /** Resolves when it is so, checked whenever the page changes. */
  until(isSo: () => boolean): Promise<Seen>;
  app(): App;
  context(): SessionContext;
  /** The app is there. */
  isThere(): boolean;
  isSignedIn(): boolean;
}

declare global {
  interface Window {
    bench: PageWatch;
  }
}

/** Runs in the page, so it can use nothing from outside of it. */
export function watchPage(): void {
  performance.setResourceTimingBufferSize(5_000);
  const waiting = new Set<{ isSo: () => boolean; tell: (seen: Seen) => void }>();

  const afterPaint = (tell: (at: number) => void) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => tell(performance.now());
      port2.postMessage(null);
    });

  const watch: PageWatch = {
    durable: {},
    firstUsed: {},
    wasKept: false,
    lists: {},
    keystrokes: [],
    onlineAt: 0,
    until: (isSo) =>
      new Promise((tell) => {
        waiting.add({ isSo, tell });
        look();
      }),
    app: () => {
      const root = document.getElementById('root') as unknown as Record<string, unknown>;
      const container = Object.keys(root).find((key) => key.startsWith('__reactContainer$'));
      type Fiber = {
        memoizedProps: { value?: unknown } | null;
        child: Fiber | null;
        stateNode: { current: Fiber };
      };
      // The container names one of the root's two fibers, which take turns: only one of them is drawn.
      const first = root[container ?? ''] as Fiber | undefined;
      for (let fiber: Fiber | null = first?.stateNode.current ?? null; fiber !== null; fiber = fiber.child) {
        const value = fiber.memoizedProps?.value;
        if (typeof value === 'object' && value !== null && 'directory' in value) return value as App;
      }
      throw new Error('The app is not there yet.');
    },
    isThere: () => {
      try {
        return watch.app() !== undefined;
      } catch {
        return false;
      }
    },
    isSignedIn: () => {
      try {
        return watch.app().authState.current().kind === 'signed-in';
      } catch {
        return false;
      }
    },
    context: () => {
      const authState = watch.app().authState.current();
      if (authState.kind !== 'signed-in') throw new Error(`No person is signed in: ${authState.kind}`);
      return authState.context;
    },
  };
  window.bench = watch;
  window.addEventListener('online', () => (watch.onlineAt = performance.now()));

  function look(): void {
    watch.wasKept ||= document.querySelector('[data-kept] #kept [aria-setsize]') !== null;
    const size = document
      .querySelector(':root:not([data-kept]) #root main [aria-setsize]')
      ?.getAttribute('aria-setsize');
    if (size != null && watch.lists[size] === undefined) {
      const seen = { shownAt: performance.now(), paintedAt: 0 };
      watch.lists[size] = seen;
      afterPaint((at) => (seen.paintedAt = at));
    }
    for (const one of waiting) {
      if (!one.isSo()) continue;
      waiting.delete(one);
      const shownAt = performance.now();
      afterPaint((paintedAt) => one.tell({ shownAt, paintedAt }));
    }
  }
  new MutationObserver((changes) => {
    look();
    const key = watch.keystrokes.at(-1);
    const isList = changes.some(
      ({ target }) => target instanceof Element && target.closest('[aria-label="Filters"]') === null,
    );
    if (key !== undefined && isList) afterPaint((at) => (key.settledAt = at));
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  document.addEventListener(
    'keydown',
    (event) => {
      const key = { pressedAt: event.timeStamp, paintedAt: 0, settledAt: 0 };
      watch.keystrokes.push(key);
      afterPaint((at) => (key.paintedAt = at));
    },
    { capture: true },
  );

  const open = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...args: Parameters<typeof open>) {
    const transaction = open.apply(this, args);
    const begunAt = performance.now();
    for (const store of transaction.objectStoreNames) watch.firstUsed[`${this.name}/${store}`] ??= begunAt;
    if (transaction.mode === 'readwrite') {
      transaction.addEventListener('complete', () => {
        for (const store of transaction.objectStoreNames) {
          const before = watch.durable[store]?.count ?? 0;
          watch.durable[store] = { count: before + 1, at: performance.now() };
        }
      });
    }
    return transaction;
  };
}
