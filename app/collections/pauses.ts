/** Longer than a frame: a hidden page has none. */
const noFrameMs = 50;

/** After the next frame, so that what was just given to the screen is painted before more work is begun. */
export const nextFrame = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, noFrameMs);
    requestAnimationFrame(() => setTimeout(resolve, 0));
  });

/** Lets other tasks run. */
export const yieldToMain = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
