/**
 * What `ask` answers, asked again only when its answer is `ms` milliseconds old: scrapers and open pages ask often. A
 * failure is kept as any answer is.
 */
export function keepAnswer<T>(
  ms: number,
  ask: () => Promise<T>,
  clock: { now(): number } = performance,
): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | undefined;
  return () => {
    if (kept === undefined || kept.until <= clock.now()) kept = { answer: ask(), until: clock.now() + ms };
    return kept.answer;
  };
}
