import type { BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import type { RunningServer } from '../open-server.ts';
import type { Wire } from '../open-wire.ts';
import type { SeedIds } from './seed-ids.ts';

/** What every screen state can use. */
export interface Fixture {
  readonly server: RunningServer;
  readonly wire: Wire;
  /** Ids of the demonstration data. */
  readonly ids: SeedIds;
  readonly page: Page;
  readonly context: BrowserContext;
}

/** One screen in one state: its address, how it is reached, and what proves that it is there. */
export interface ScreenState {
  /** Kebab-case; the name of its picture. */
  readonly name: string;
  /** The address, opened anew. Without one the screen state continues from the one before. */
  readonly at?: string | ((ids: SeedIds) => string);
  /** Words that are visible once the screen state is there. */
  readonly shows: string | RegExp;
  /** What has to be done before the address is opened. */
  readonly before?: (fixture: Fixture) => Promise<void>;
  /** What has to be done after the address is open. */
  readonly enter?: (fixture: Fixture) => Promise<void>;
  /** Undoes what the next screen state must not inherit. */
  readonly leave?: (fixture: Fixture) => Promise<void>;
  /** Something is over the page: only what the window shows counts. */
  readonly isWindow?: boolean;
  /** Skeletons and spinners: they move, and nothing comes after them. */
  readonly isWaiting?: boolean;
  /**
   * Another screen state with the same parts, whose words alone differ: examined in `npm run test:long`, pictured
   * always.
   */
  readonly isLike?: string;
  /** Also pictured at 320 px. */
  readonly isAlsoTiny?: boolean;
}

/** Screen states of one person on one device, in order. */
export interface Scenario {
  readonly name: string;
  readonly options?: BrowserContextOptions;
  /** Alerts are offered: only the browser with windows has them. */
  readonly hasAlerts?: true;
  /** What happens before the first screen state, as signing in. The page has nothing open. */
  readonly prepare?: (fixture: Fixture) => Promise<void>;
  readonly screens: readonly ScreenState[];
  /** Restores the wire. */
  readonly finish?: (fixture: Fixture) => Promise<void>;
}
