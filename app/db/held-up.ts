import { keptPagesPath } from '../../shared/lib/kept-pages.ts';

/** Before the person is told of it (`connection.ts`, `create-session.ts`). */
const longMs = 3_000;
/** An answer is waited for no longer, and what came to nothing is asked again after it. */
const askMs = 10_000;

/**
 * Sees to it that what is asked of the storage is not held up by a page that sleeps, whatever that had begun: after a
 * while has such pages given up. Without signal they stay, until it is back. WebKit alone keeps pages that hold up
 * others; elsewhere the question would only throw away files that are at hand.
 */
export function watchForHoldUps(ask: () => Promise<unknown> = askForIt) {
  const late = new Set<EventTarget>();
  let isAsking = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const goOn = () => (isAsking = false);
  const tryAgain = () => {
    goOn();
    again = setTimeout(askOnce, askMs);
    addEventListener('online', askOnce, { once: true });
  };
  const askOnce = () => {
    if (isAsking || late.size === 0) return;
    isAsking = true;
    clearTimeout(again);
    ask().then(goOn, tryAgain);
  };
  return <Asked extends EventTarget>(asked: Asked, ...ends: readonly string[]): Asked => {
    if (!isWebkit()) return asked;
    const timer = setTimeout(() => {
      late.add(asked);
      askOnce();
    }, longMs);
    for (const end of ends)
      asked.addEventListener(end, () => {
        clearTimeout(timer);
        late.delete(asked);
      });
    return asked;
  };
}

const askForIt = () => fetch(keptPagesPath, { method: 'POST', signal: AbortSignal.timeout(askMs) });

/** On an iPhone every browser is. */
const isWebkit = () => /AppleWebKit(?!.*Chrom)/.test(navigator.userAgent);
