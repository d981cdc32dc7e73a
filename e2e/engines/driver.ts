/**
 * What a browser of any make must be able to do for a test. Elements are named by functions that find them in the page.
 */
export interface TabDriver {
  /**
   * How long, in ms, a function of the page may wait in it for what it is asked for; 0 where an answer is lost with a
   * page that goes away. Where each question costs the browser much, a page that looks for itself whenever it has
   * changed is asked once.
   */
  readonly patience: number;
  /** Errors that pages have logged or thrown since the browser was started, where it tells. */
  logged?(): readonly string[];
  goto(address: string): Promise<void>;
  goBack(): Promise<void>;
  reload(): Promise<void>;
  /** Calls this function of the page, given as source text, with texts; it answers a text, or a promise of one. */
  call(source: string, given: readonly string[]): Promise<string>;
  /** Presses and releases the pointer there, in CSS pixels of the window. */
  clickAt(x: number, y: number): Promise<void>;
  /**
   * Presses these keys one after the other, or held together: characters, or WebDriver's code points for named keys.
   */
  type(keys: readonly string[], how: 'in-turn' | 'together'): Promise<void>;
  /** Gives these files to the file input that the function answers. */
  giveFiles(source: string, given: readonly string[], paths: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** One start of a browser on a profile. */
export interface Browser {
  firstTab: TabDriver;
  openTab(): Promise<TabDriver>;
  /**
   * Whether pages believe that there is a network (`navigator.onLine`), now and when they are opened; tells those that
   * are open.
   */
  setOnline(isOnline: boolean): Promise<void>;
  /** Called with each text that a page sends by `tellTest(text)`. */
  onTold(hear: (text: string) => void): void;
  /** SIGKILL to all of its processes at once. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Launch {
  profile: string;
  proxyPort: number;
  isOnline: boolean;
  /** Address of the push service that takes the place of the browser's own; Firefox alone has a setting for it. */
  pushService?: string | undefined;
  /** How many bytes a site may store in all; without, what the browser thinks fit. */
  room?: number | undefined;
}

/** Runs in a page before its own scripts, and in open ones: what it believes of the network. */
export const believe = (isOnline: boolean) => `() => {
  const was = navigator.onLine;
  Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => ${isOnline} });
  if (was !== ${isOnline}) window.dispatchEvent(new Event('${isOnline ? 'online' : 'offline'}'));
}`;
