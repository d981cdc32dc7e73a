/** Calls `beat` in every period from now on; the returned function stops that. */
export type Heart = (beat: () => void) => () => void;

/** In how many parts of the period beats are gathered, so that ten thousand are not all due in one moment. */
const parts = 25;

/** One timer for any number of beats. The first comes after a period, or up to a part of it earlier. */
export function startHeart(periodMs: number): Heart {
  const due = Array.from({ length: parts }, () => new Set<() => void>());
  let now = 0;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;

  function advance(): void {
    now = (now + 1) % parts;
    for (const beat of Array.from(due[now]!)) beat();
  }

  return (beat) => {
    const own = due[now]!;
    // The same function twice would be one.
    const once = () => beat();
    own.add(once);
    count += 1;
    timer ??= setInterval(advance, periodMs / parts).unref();
    return () => {
      if (!own.delete(once)) return;
      count -= 1;
      if (count > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
