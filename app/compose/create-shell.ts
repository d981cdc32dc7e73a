import type { Shell, AuthState } from '../context/app-context.ts';
import { createCell, type Cell } from '../lib/cell.ts';
import { readAuthRedirect, type AuthRedirect } from '../session/auth-redirect.ts';
import { createToasts } from '../ui/create-toasts.ts';
import { createConnectionStatus, type FollowedConnectionStatus } from './create-connection-status.ts';

/** The shell, with what only `createApp` may touch. */
export interface OwnedShell extends Shell {
  readonly authState: Cell<AuthState>;
  readonly connection: FollowedConnectionStatus;
  /** The page has taken over from the prerendered one, which knows nothing of the connection. */
  onShown(): void;
  /** `takeSession` takes the session of a mailed link out of the address; asked only where there is one. `onChosen`: see `comesIn`. */
  settleAuthRedirect(
    takeSession: (onChosen: (comesIn: boolean) => void) => Promise<void>,
    log: (event: string, detail: string) => void,
  ): void;
}

/** Composes what the first paint needs. `retryStart`: called when the app's own chunk failed to load and the person asks again. */
export function createShell(retryStart: () => unknown): OwnedShell {
  const came = readAuthRedirect(window.location.hash);
  const hasSession = 'hasSession' in came && came.hasSession;
  let resolve = (_isTaken: boolean) => undefined as void;
  const settled = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  let choose = (_comesIn: boolean) => undefined as void;
  const comesIn = new Promise<boolean>((settle) => {
    choose = settle;
  });
  let left: AuthRedirect = came;
  let isShown = false;
  const connection = createConnectionStatus(window, () => !isShown || navigator.onLine);
  return {
    toasts: createToasts(),
    authState: createCell<AuthState>({ kind: 'starting' }),
    connection,
    authRedirect: {
      take: () => {
        const taken = left;
        left = { kind: 'none' };
        return taken;
      },
      comesIn: hasSession ? comesIn : Promise.resolve(true),
      settled: hasSession ? settled : Promise.resolve(true),
    },
    settleAuthRedirect: (takeSession, log) => {
      if (!hasSession) return;
      takeSession(choose).then(
        () => resolve(true),
        (error: unknown) => {
          log('arrival', String(error));
          resolve(false);
        },
      );
    },
    onShown: () => {
      isShown = true;
      connection.look();
    },
    retryStart,
  };
}
