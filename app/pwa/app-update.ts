import type { Workbox } from 'workbox-window';
import { createCell, type Watched } from '../lib/cell.ts';

/**
 * `ready`: a new version waits. `taken`: the person has asked for it; the page reloads when it is active. `moved-on`:
 * another tab has activated it, and this one runs the old; only a reload helps.
 */
export type UpdateState = 'none' | 'ready' | 'taken' | 'moved-on';

export interface AppUpdate {
  readonly state: Watched<UpdateState>;
  /** The person's tap: activates the new version and reloads this tab. Nothing else ever does. */
  accept(): void;
  /** Asks the server for a newer version; call when the app becomes visible again after a while. */
  look(): void;
}

/** What screens need not know. */
export interface AppWorker {
  /** The worker answers for this page, with all code at hand; or it will not soon. Never rejects. */
  readonly whenControlled: Promise<void>;
}

type Worker = Pick<Workbox, 'register' | 'update' | 'messageSkipWaiting'> & {
  addEventListener(type: 'waiting' | 'controlling', listener: () => void): void;
};

export interface UpdatePorts {
  /** Undefined where the browser has no service workers, or on an insecure origin. */
  worker: Worker | undefined;
  /** A worker answers for this page already. */
  isControlled: boolean;
  /** When to register it. */
  quiet: Promise<void>;
  reload(): void;
  /** Does this after a while. */
  later(go: () => void): void;
  /** Something is being typed that a reload would lose. */
  isHeld(): boolean;
  log(event: string, detail: string): void;
}

/** Registers the service worker and reports a newer one; never activates it by itself. */
export function createAppUpdate({
  worker,
  isControlled,
  quiet,
  reload,
  later,
  isHeld,
  log,
}: UpdatePorts): AppUpdate & AppWorker {
  const state = createCell<UpdateState>('none');
  // The first worker of all, which the document or another tab may have registered, is no newer than this page: it
  // waits for a short while on a slow phone, and then claims the page.
  let hasVersion = isControlled;
  let waitNoLonger = () => undefined as void;
  const whenControlled = new Promise<void>((resolve) => (waitNoLonger = resolve));
  if (worker === undefined || isControlled) waitNoLonger();
  worker?.addEventListener('waiting', () => {
    if (hasVersion) state.set('ready');
  });
  worker?.addEventListener('controlling', () => {
    waitNoLonger();
    if (!hasVersion) return void (hasVersion = true);
    // Begun since the tap: the new version may be long in coming.
    if (state.current() === 'taken' && !isHeld()) reload();
    else state.set('moved-on');
  });
  // A browser gives up the first installation where one file of it does not come, and takes it up again at a
  // registration alone: with what it has not got yet. One that is under way, or done, takes no notice.
  const register = () => {
    worker?.register().catch((error: unknown) => {
      log('worker-unregistered', String(error));
      waitNoLonger();
    });
    later(() => {
      waitNoLonger();
      if (!hasVersion) register();
    });
  };
  void quiet.then(register);
  return {
    state,
    whenControlled,
    accept: () => {
      if (state.current() === 'moved-on') return reload();
      if (state.current() !== 'ready') return;
      state.set('taken');
      worker?.messageSkipWaiting();
    },
    look: () => {
      // Without signal there is nothing newer to be had.
      worker?.update().catch(() => undefined);
    },
  };
}
