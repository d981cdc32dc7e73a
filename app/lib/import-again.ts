/** As long as the next page may take to come. */
const againMs = 10_000;
/** Between the questions whether the server can be reached again. */
const askMs = 1_000;

const sleep = (ms: number) => new Promise<unknown>((resolve) => setTimeout(resolve, ms));

const untilReached = (left = againMs / askMs): Promise<unknown> =>
  sleep(askMs)
    .then(() => fetch(location.href, { method: 'HEAD', cache: 'no-store' }))
    .catch(() => left > 1 && untilReached(left - 1));

/**
 * A page that is loaded anew without signal, and without the worker that keeps it, is the browser's own page of an
 * error: the app is gone with all that it could still show.
 */
const untilReloadable = async (): Promise<void> => {
  if (navigator.onLine !== false || navigator.serviceWorker?.controller) return;
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
};

/**
 * For the code of a page: where it does not come it is asked for once more, as soon as the server can be reached or
 * after a while. As soon as a page is being left, WebKit ends what it fetches (and tells an iPhone's page of its
 * leaving by no event), and the router loads a page anew whose code does not come: the person would be back on the page
 * that they leave. WebKit does not fetch again what failed once: there the whole while goes by, and the router loads
 * the page anew after that. So it does after a style that did not come, in every browser: the style would not be asked
 * for again, and the page be bare. That the page is opening is said meanwhile (`main.tsx`).
 */
export const importAgain =
  <Code>(load: () => Promise<Code>): (() => Promise<Code>) =>
  async () => {
    try {
      return await load();
    } catch (error) {
      const words = String(error);
      const isStyle = words.includes('CSS');
      const waits = [sleep(againMs)];
      if (!isStyle && !words.includes('Importing')) waits.push(untilReached());
      await Promise.race(waits);
      await untilReloadable();
      // The beginning by which the router knows it (`isModuleNotFoundError`).
      if (isStyle) throw new Error('Importing a module script failed', { cause: error });
      return load();
    }
  };
