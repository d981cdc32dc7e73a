import type { Watched } from '../lib/cell.ts';
import { dropAllLastTyped, dropLastTypedOfOthers } from '../lib/last-typed-draft.ts';
import type { SessionState } from '../session/create-session.ts';

/**
 * A tab's own storage is out of reach of the tab that logs out (C10): each drops what a person typed in it once it
 * learns that they have left, or that another is here. A tab that begins signed out keeps it: the browser may have
 * cleared everything else, and it is given back to the same person alone.
 */
export function forgetTyped(state: Watched<SessionState>, store: Storage): void {
  let here: string | undefined;
  const look = () => {
    const now = state.current();
    if (now.kind === 'signed-in') {
      here = now.person.userId;
      dropLastTypedOfOthers(store, here);
    } else if (now.kind === 'signed-out' && here !== undefined) dropAllLastTyped(store, here);
  };
  state.subscribe(look);
  look();
}
