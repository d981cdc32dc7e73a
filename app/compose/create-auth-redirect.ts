import type { App, LinkProgress } from '../context/app-context.ts';
import { createCell } from '../lib/cell.ts';
import { readAuthRedirect } from '../session/auth-redirect.ts';
import type { MailedLink } from './create-mailed-link.ts';

/**
 * What the mailed link in the address was for. Its session is taken at once, where it brings one.
 */
export function createAuthRedirect(
  hash: string,
  { take: takeSession, userId }: Pick<MailedLink, 'take' | 'userId'>,
  authState: App['authState'],
  log: App['log'],
): App['authRedirect'] {
  let left = readAuthRedirect(hash);
  const take = () => {
    const taken = left;
    left = { kind: 'none' };
    return taken;
  };
  const hasSession = 'hasSession' in left && left.hasSession;
  const progress = createCell<LinkProgress>(hasSession ? 'signing-in' : 'none');
  if (!hasSession) return { take, comesIn: Promise.resolve(true), settled: Promise.resolve(true), progress };

  let choose = (_comesIn: boolean) => undefined as void;
  const comesIn = new Promise<boolean>((resolve) => {
    choose = resolve;
  });
  const settled = takeSession(choose).then(
    () => true,
    (error: unknown) => {
      log('arrival', String(error));
      progress.set('failed');
      return false;
    },
  );
  void comesIn.then((doesComeIn) => {
    if (!doesComeIn) progress.set('none');
  });
  // The screens have the person a moment after their session is here: in between they are not to ask for a sign-in.
  const look = () => {
    const state = authState.current();
    if (state.kind === 'signed-in' && state.context.userId === userId) progress.set('none');
  };
  authState.subscribe(look);
  void settled.then(look);
  return { take, comesIn, settled, progress };
}
