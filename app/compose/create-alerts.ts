import type { Caller } from '../api/call.ts';
import type { AuthState } from '../context/app-context.ts';
import type { Watched } from '../lib/cell.ts';
import { createPushAlerts, type PushAlerts } from '../pwa/push-alerts.ts';
import type { DeviceDb } from '../session/device-db.ts';
import type { Configured } from './create-configured.ts';

interface AlertsPorts {
  authState: Watched<AuthState>;
  configured: Configured;
  caller: Caller;
  deviceDb: DeviceDb;
  /** When the page has finished its start: nothing here is urgent. */
  quiet: Promise<void>;
  needsInstall: boolean;
  log(event: string, detail: string): void;
}

/** Alerts of this browser. Read when a person is signed in, once the page is quiet. */
export function createAlerts({
  authState,
  configured,
  caller,
  deviceDb,
  quiet,
  needsInstall,
  log,
}: AlertsPorts): PushAlerts {
  const hasPush = import.meta.env.PROD && 'serviceWorker' in navigator && 'PushManager' in window;
  const alerts = createPushAlerts({
    worker: hasPush ? navigator.serviceWorker : undefined,
    permission:
      'Notification' in window
        ? { current: () => Notification.permission, ask: () => Notification.requestPermission() }
        : undefined,
    serverKey: async () => (await configured.wait()).pushKey,
    subscribe: (body) => caller.call('alerts.subscribe', { body }),
    unsubscribe: (endpoint) => caller.call('alerts.unsubscribe', { body: { endpoint } }),
    owner: {
      read: async () => (await deviceDb.entries.get('alerts'))?.value,
      write: (userId) =>
        userId === undefined
          ? deviceDb.entries.delete('alerts')
          : deviceDb.entries.put({ key: 'alerts', value: userId }),
    },
    left: {
      read: async () => (await deviceDb.entries.get('alertsLeft'))?.value,
      write: (value) =>
        value === undefined
          ? deviceDb.entries.delete('alertsLeft')
          : deviceDb.entries.put({ key: 'alertsLeft', value }),
    },
    needsInstall,
    log,
  });
  let lookedFor: string | undefined;
  const look = () => {
    const here = authState.current();
    const userId = here.kind === 'signed-in' && !here.needsSignIn ? here.context.userId : undefined;
    if (userId === lookedFor) return;
    lookedFor = userId;
    if (userId !== undefined) void alerts.look(userId);
  };
  void quiet.then(() => {
    authState.subscribe(look);
    look();
    // What was turned off without signal is told now.
    window.addEventListener('online', () => lookedFor !== undefined && void alerts.look(lookedFor));
  });
  return alerts;
}
