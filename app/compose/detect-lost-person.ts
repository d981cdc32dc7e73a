import type { AuthState } from '../context/app-context.ts';
import { createCell, type Watched } from '../lib/cell.ts';

/** Read by `public/here.js` before the first paint, so that a person who is signed in does not see the sign-in button flash by. */
const hereKey = 'dwang-here';

/**
 * Remembers whether a person is signed in on this device, and nothing of who it is. Gives whether the browser has lost the person: one
 * was signed in, none logged out, and none is signed in now (C4). `hasLeft`: is there an outbox backup? The browser writes localStorage
 * to disk seconds late, so a phone that was killed early has only the backup.
 */
export function detectLostPerson(
  authState: Watched<AuthState>,
  memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  hasLeft: () => Promise<boolean>,
): Watched<boolean> {
  const isLost = createCell(false);
  let isFirst = true;
  const note = () => {
    const { kind } = authState.current();
    if (kind === 'signed-in') {
      memory.setItem(hereKey, 'yes');
      isLost.set(false);
    }
    if (kind === 'signed-out') {
      if (isFirst && memory.getItem(hereKey) !== null) isLost.set(true);
      else if (isFirst)
        void hasLeft().then((is) => is && authState.current().kind === 'signed-out' && isLost.set(true));
      memory.removeItem(hereKey);
    }
    if (kind === 'signed-in' || kind === 'signed-out') isFirst = false;
  };
  authState.subscribe(note);
  note();
  return isLost;
}
