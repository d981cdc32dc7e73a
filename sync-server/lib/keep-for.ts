/**
 * Reads once in so many milliseconds, however many ask. A read that failed is tried again by the next who asks; those
 * who wait for it fail with it.
 */
export function keepFor<Value>(
  keptMs: number,
  clock: () => Date,
  read: (now: Date) => Promise<Value>,
): () => Promise<Value> {
  let kept: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return () => {
    const now = clock();
    if (kept === undefined || now.getTime() - kept.at >= keptMs) {
      const reading = { at: now.getTime(), value: read(now) };
      kept = reading;
      reading.value.catch(() => {
        if (kept === reading) kept = undefined;
      });
    }
    return kept.value;
  };
}
