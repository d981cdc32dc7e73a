import { keptPagesPath } from '../../shared/lib/kept-pages.ts';

/** Before the person is told of it (`connection.ts`, `create-session.ts`). */
const longMs = 3_000;

/**
 * Sees to it that what is asked of the storage is not held up by a page that sleeps, whatever that had begun: after a while has such pages
 * given up. Without signal they stay.
 */
export function watchForHoldUps(ask: () => Promise<unknown> = askForIt) {
  let asking: Promise<unknown> | undefined;
  const goOn = () => (asking = undefined);
  return <Asked extends EventTarget>(asked: Asked, ...ends: readonly string[]): Asked => {
    const late = setTimeout(() => void (asking ??= ask().then(goOn, goOn)), longMs);
    for (const end of ends) asked.addEventListener(end, () => clearTimeout(late));
    return asked;
  };
}

const askForIt = () => fetch(keptPagesPath, { method: 'POST' });
