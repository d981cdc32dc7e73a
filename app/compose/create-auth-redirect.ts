import type { App } from '../context/app-context.ts';
import { readAuthRedirect } from '../session/auth-redirect.ts';
import type { MailedLink } from './create-mailed-link.ts';

/**
 * What the mailed link in the address was for. `takeSession`: called at once where the link brings a session, and not
 * otherwise.
 */
export function createAuthRedirect(
  hash: string,
  takeSession: MailedLink['take'],
  log: App['log'],
): App['authRedirect'] {
  let left = readAuthRedirect(hash);
  const take = () => {
    const taken = left;
    left = { kind: 'none' };
    return taken;
  };
  const hasSession = 'hasSession' in left && left.hasSession;
  if (!hasSession) return { take, comesIn: Promise.resolve(true), settled: Promise.resolve(true) };

  let choose = (_comesIn: boolean) => undefined as void;
  const comesIn = new Promise<boolean>((resolve) => {
    choose = resolve;
  });
  const settled = takeSession(choose).then(
    () => true,
    (error: unknown) => {
      log('arrival', String(error));
      return false;
    },
  );
  return { take, comesIn, settled };
}
