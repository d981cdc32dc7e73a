/** As long as the next page may take to come. */
const againMs = 10_000;

/**
 * For the code of a page: where it does not come it is asked for once more after a while. As soon as a page is being left, WebKit ends what
 * it fetches (and tells an iPhone's page of its leaving by no event), and the router loads a page anew whose code does not come: the person
 * would be back on the page that they leave. WebKit does not fetch again what failed once: there the router loads the page anew after that.
 */
export const importAgain =
  <Code>(load: () => Promise<Code>): (() => Promise<Code>) =>
  async () => {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, againMs));
      return load();
    }
  };
