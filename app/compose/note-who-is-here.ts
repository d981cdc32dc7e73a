import type { Who } from '../app-context.ts';
import type { Watched } from '../lib/cell.ts';

/** Read by `public/here.js` before the first paint, so that nobody who is signed in sees the way to sign in flash by. */
const hereKey = 'dwang-here';

/** Remembers whether somebody is signed in on this device, and nothing of who it is. */
export function noteWhoIsHere(who: Watched<Who>, memory: Pick<Storage, 'setItem' | 'removeItem'>): void {
  const note = () => {
    const { kind } = who.current();
    if (kind === 'signed-in') memory.setItem(hereKey, 'yes');
    if (kind === 'signed-out') memory.removeItem(hereKey);
  };
  who.subscribe(note);
  note();
}
