import type { AuthState, Unsent } from '../context/app-context.ts';
import { createCell, type Cell, type Watched } from '../lib/cell.ts';
import type { KeptNote } from './kept-note.ts';

/**
 * Read by `public/here.js` before the first paint, so that a person who is signed in does not see the sign-in button
 * flash by, and as a page comes back that the browser has kept: its value is another after each log-out.
 */
const hereKey = 'dwang-here';

/**
 * Remembers whether a person is signed in on this device, and nothing of who it is. Gives whether the browser has lost
 * the person: one was signed in, none logged out, and none is signed in now (C4). `hasLeft`: is there an outbox backup?
 * The browser writes localStorage to disk seconds late, so a phone that was killed early has only the backup. Where it
 * has deleted all that scripts stored, `note` is left.
 * `unsent`: not all of what it lost had been sent.
 */
export function detectLostPerson(
  authState: Watched<AuthState>,
  memory: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  hasLeft: () => Promise<boolean>,
  note: Pick<KeptNote, 'read' | 'isCleared' | 'forget'>,
): { isLost: Cell<boolean>; unsent: Cell<Unsent | null> } {
  const isLost = createCell(false);
  const unsent = createCell<Unsent | null>(null);
  let isFirst = true;
  const follow = () => {
    const { kind } = authState.current();
    if (kind === 'signed-in') {
      if (memory.getItem(hereKey) === null) memory.setItem(hereKey, crypto.randomUUID());
      isLost.set(false);
    }
    if (kind === 'signed-out') {
      const kept = isFirst && note.isCleared() ? note.read() : undefined;
      if (kept?.isAllSent === false) unsent.set(kept);
      if (isFirst && (kept !== undefined || memory.getItem(hereKey) !== null)) isLost.set(true);
      else if (isFirst)
        void hasLeft().then((is) => is && authState.current().kind === 'signed-out' && isLost.set(true));
      memory.removeItem(hereKey);
    }
    if (kind === 'signed-in' || kind === 'signed-out') isFirst = false;
  };
  // Read, by a person who does not want to sign in.
  isLost.subscribe(() => !isLost.current() && authState.current().kind === 'signed-out' && note.forget());
  authState.subscribe(follow);
  follow();
  return { isLost, unsent };
}
