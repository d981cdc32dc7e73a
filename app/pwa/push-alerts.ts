import { createCell, type Watched } from '../lib/cell.ts';

/**
 * `unsupported`: this browser has no push. `install`: it has, once the app is on the home screen (iOS). `blocked`: the
 * person, or another before them, has refused in the browser's own dialog, which alone can change it. `off`, `on`: this
 * device.
 */
export type PushState = 'starting' | 'unsupported' | 'install' | 'blocked' | 'off' | 'on';

export interface PushAlerts {
  readonly state: Watched<PushState>;
  /**
   * Asks the browser, and has the server know. Resolves with what is true afterwards; rejects where the server did not
   * answer.
   */
  turnOn(userId: string): Promise<PushState>;
  /**
   * Ends it on this device, also without signal: the server hears of it at a later `look`, or from the push service.
   */
  turnOff(userId: string): Promise<void>;
  /** Ends what this person turned on here, and nothing of another's: at their log-out. Never rejects. */
  end(userId: string): Promise<void>;
  /**
   * Reads the browser anew for the person who is here; where they turned it on, has the server know the browser's
   * address of today. What another person turned on ends. Never rejects.
   */
  look(userId: string): Promise<void>;
}

/** Alerts that this person turned off here, at this address of the browser. */
export interface Left {
  readonly userId: string;
  readonly endpoint: string;
}

export interface PushPorts {
  /** Undefined where this page has no worker, or the browser no push. */
  worker: { readonly ready: Promise<{ readonly pushManager: PushManager }> } | undefined;
  permission: { current(): NotificationPermission; ask(): Promise<NotificationPermission> } | undefined;
  /** The server's key (`GET /api/config`); undefined where it tells no phones. Rejects without a configuration. */
  serverKey(): Promise<string | undefined>;
  subscribe(target: { endpoint: string; keys: { p256dh: string; auth: string } }): Promise<unknown>;
  unsubscribe(endpoint: string): Promise<unknown>;
  /** Who turned it on, on this device: the browser knows only that it is on. */
  owner: { read(): Promise<unknown>; write(userId: string | undefined): Promise<unknown> };
  /** What was turned off, until the server knows: kept over a restart. */
  left: { read(): Promise<unknown>; write(left: Left | undefined): Promise<unknown> };
  /** Safari on an iPhone or iPad, where only an installed app has push. */
  needsInstall: boolean;
  log(event: string, detail: string): void;
}

/** Alerts on this device: the browser's permission, its subscription, and the server's knowledge of it. */
export function createPushAlerts(ports: PushPorts): PushAlerts {
  const { worker, permission, log } = ports;
  const state = createCell<PushState>('starting');

  const manager = async () => (await worker?.ready)?.pushManager;

  async function read(): Promise<PushState> {
    if (worker === undefined || permission === undefined) return ports.needsInstall ? 'install' : 'unsupported';
    if ((await ports.serverKey()) === undefined) return 'unsupported';
    if (permission.current() === 'denied') return 'blocked';
    const subscription = await (await manager())?.getSubscription();
    return subscription == null || permission.current() !== 'granted' ? 'off' : 'on';
  }

  async function tellServer(subscription: PushSubscription): Promise<void> {
    const { endpoint, keys } = subscription.toJSON();
    await ports.subscribe({
      endpoint: endpoint ?? subscription.endpoint,
      keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    });
  }

  /** Tells the server what was turned off, now or when there is signal. */
  async function sayGoodbye(left: Left): Promise<void> {
    try {
      await ports.unsubscribe(left.endpoint);
      await ports.left.write(undefined);
    } catch (error) {
      log('push-goodbye', nameOf(error));
    }
  }

  /** `left`: who is here to tell the server, now or later. */
  async function turnOff(left: { userId: string } | undefined): Promise<void> {
    const subscription = await (await manager())?.getSubscription();
    if (subscription != null) {
      const { endpoint } = subscription;
      if (left !== undefined) await ports.left.write({ userId: left.userId, endpoint });
      await subscription.unsubscribe();
      if (left === undefined) ports.unsubscribe(endpoint).catch((error: unknown) => log('push-goodbye', nameOf(error)));
      else void sayGoodbye({ userId: left.userId, endpoint });
    }
    await ports.owner.write(undefined);
    state.set(await read());
  }

  return {
    state,
    turnOn: async (userId) => {
      const key = await ports.serverKey();
      if (key === undefined || permission === undefined) throw new Error('Alerts are not available here.');
      if ((await permission.ask()) !== 'granted') {
        state.set(await read());
        return state.current();
      }
      const push = await manager();
      if (push === undefined) throw new Error('Alerts are not available here.');
      const subscription = await subscribeWith(push, key).catch((cause: unknown) => {
        // The browser's own words are for developers.
        throw new Error('This browser could not turn on alerts. Try again later.', { cause });
      });
      const left = (await ports.left.read()) as Left | undefined;
      if (left?.endpoint === subscription.endpoint) await ports.left.write(undefined);
      await ports.owner.write(userId);
      await tellServer(subscription);
      state.set('on');
      return 'on';
    },
    turnOff: (userId) => turnOff({ userId }),
    end: async (userId) => {
      try {
        const left = (await ports.left.read()) as Left | undefined;
        if (left?.userId === userId) await ports.left.write(undefined);
        if ((await ports.owner.read()) === userId) await turnOff(undefined);
      } catch (error) {
        log('push-end', nameOf(error));
      }
    },
    look: async (userId) => {
      try {
        const left = (await ports.left.read()) as Left | undefined;
        if (left?.userId === userId) await sayGoodbye(left);
        const now = await read();
        if (now === 'on' && (await ports.owner.read()) !== userId) return await turnOff(undefined);
        state.set(now);
        if (now !== 'on') return;
        const subscription = await (await manager())?.getSubscription();
        if (subscription != null) await tellServer(subscription);
      } catch (error) {
        log('push-look', nameOf(error));
      }
    },
  };
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error));

/** A subscription made with another key of the server is of no use any more, and stands in the way of a new one. */
async function subscribeWith(push: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await push.subscribe(options);
  } catch (error) {
    const old = await push.getSubscription();
    if (old === null || !(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
    await old.unsubscribe();
    return push.subscribe(options);
  }
}
