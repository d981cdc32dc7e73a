import { createCell, type Watched } from '../lib/cell.ts';
import type { IconName } from './icon.tsx';

export type ToastContent = {
  readonly title: string;
  readonly description?: string;
  readonly action?: { readonly label: string; readonly onAction: () => void };
  /** Takes back what was done. A toast that offers it stays when the person goes on to another page. */
  readonly undo?: () => void;
  /** 'destructive' interrupts a screen reader; 'default' waits its turn. */
  readonly variant?: 'default' | 'destructive';
  /** Where nothing was done: a tick would say so. */
  readonly icon?: IconName;
  /**
   * How long it stays, where that is not the usual time: what it offers is there for so long. `Infinity`: until it is
   * put away.
   */
  readonly durationMs?: number;
  /** It speaks of nothing on the page: on a phone it stands over the page's title, and not over what one came for. */
  readonly isGreeting?: true;
};

export type Toast = ToastContent & { readonly id: number };

export type Toasts = Watched<Toast | undefined> & {
  /** Shows one toast in place of any other. Returns its id. */
  show: (content: ToastContent) => number;
  /** Dismisses the toast with this id, or the current one. */
  dismiss: (id?: number) => void;
  /** The person pressed a key or a pointer, elsewhere than on the toast. */
  noteAct: () => void;
  /**
   * Another page or a window has come. Dismisses a toast of an earlier act: it would lie over what it does not speak
   * of. Keeps what came with this page, what offers Undo, and what stays until it is put away.
   */
  goOn: () => void;
  /** Stops the timer, as while the pointer or the focus is on the toast. */
  pause: () => void;
  /** Lets the timer run on with the time that was left. */
  resume: () => void;
};

/**
 * One toast at a time, 5,000 ms each unless told otherwise.
 * An instance, not a module: the app makes one and hands it down by `UiProvider`, a test makes its own.
 */
export function createToasts({ durationMs = 5_000 }: { readonly durationMs?: number } = {}): Toasts {
  const shown = createCell<Toast | undefined>(undefined);
  let lastId = 0;
  let isOfEarlierAct = false;
  let leftMs = 0;
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    stop();
    startedAt = Date.now();
    // A browser takes a time that it cannot count for none at all.
    if (Number.isFinite(leftMs)) timer = setTimeout(() => dismiss(), leftMs);
  };
  function dismiss(id?: number) {
    const toast = shown.current();
    if (toast === undefined || (id !== undefined && id !== toast.id)) return;
    stop();
    shown.set(undefined);
  }

  return {
    show(content) {
      lastId += 1;
      isOfEarlierAct = false;
      leftMs = content.durationMs ?? durationMs;
      run();
      shown.set({ ...content, id: lastId });
      return lastId;
    },
    dismiss,
    noteAct() {
      isOfEarlierAct = true;
    },
    goOn() {
      const toast = shown.current();
      if (toast === undefined || !isOfEarlierAct) return;
      if (toast.undo === undefined && toast.durationMs !== Infinity) dismiss();
    },
    pause() {
      if (timer === undefined) return;
      leftMs = Math.max(0, leftMs - (Date.now() - startedAt));
      stop();
    },
    resume() {
      if (shown.current() !== undefined && timer === undefined) run();
    },
    current: shown.current,
    subscribe: shown.subscribe,
  };
}
