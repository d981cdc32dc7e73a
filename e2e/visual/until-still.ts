import type { Tab } from '../engines/tab.ts';

/** A page of any engine, as far as it is used to look at it. */
export type Evaluates = Pick<Tab, 'evaluate'>;

/**
 * Pictures in the window are there, fonts too, nothing moves in on its own any more, and the page is idle. A picture
 * that a silent network holds is not waited for long.
 */
export async function untilStill(page: Evaluates): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    const inWindow = [...document.images].filter(
      (image) => image.getBoundingClientRect().top < window.innerHeight && image.checkVisibility(),
    );
    const settled = (image: HTMLImageElement) =>
      new Promise((resolve) =>
        ['load', 'error'].forEach((name) => image.addEventListener(name, resolve, { once: true })),
      );
    const pictures = inWindow.filter((image) => !image.complete).map(settled);
    await Promise.race([Promise.all(pictures), new Promise((resolve) => setTimeout(resolve, 2_000))]);
    const ending = () =>
      document
        .getAnimations()
        .filter(
          (animation) =>
            animation.playState === 'running' &&
            Number.isFinite(animation.effect?.getComputedTiming().endTime ?? Infinity),
        );
    do {
      await Promise.all(ending().map((animation) => animation.finished.catch(() => undefined)));
      // A new size or colour takes effect a frame later, and on a slow machine the rendering later still.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      // WebKit has no such call.
      if ('requestIdleCallback' in window)
        await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 }));
    } while (ending().length > 0);
  });
}
