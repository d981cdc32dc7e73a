import { untilStill } from './until-still.ts';
import { resize, type WindowSize } from './resize.ts';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { findWholeChromium, launchOptions } from '../../scripts/find-chromium.ts';
import { holdToasts } from '../hold-toasts.ts';
import { openServer } from '../open-server.ts';
import { openWire } from '../open-wire.ts';
import { timeoutMs } from '../timeout-ms.ts';
import { readSeedIds } from './seed-ids.ts';
import type { Scenario, ScreenState, Fixture } from './screen-state.ts';

/** A server with the demonstration data, the network to it, and a browser. */
export interface VisualRun {
  /**
   * Runs a scenario, one screen state after the other; `look` is called with each. One that fails does not stop the
   * others; all failures are thrown at the end. `openedAt` is the window a screen state is opened in: else a desktop's.
   */
  play(
    scenario: Scenario,
    look: (screen: ScreenState, fixture: Fixture) => Promise<void>,
    openedAt?: (screen: ScreenState) => WindowSize,
  ): Promise<void>;
  close(): Promise<void>;
}

export const desktop: WindowSize = { width: 1_280, height: 800 };
const usual = { viewport: desktop, locale: 'en-NZ', timezoneId: 'Pacific/Auckland' };

export async function openVisualRun(options: BrowserContextOptions = {}): Promise<VisualRun> {
  const wire = await openWire();
  const server = await openServer({ PUBLIC_URL: wire.url });
  wire.leadTo(server.url);
  const ids = await readSeedIds(server);
  const browser: Browser = await chromium.launch(launchOptions());
  let withAlerts: Promise<Browser> | undefined;
  const openWithAlerts = () => (withAlerts ??= chromium.launch(launchOptions(findWholeChromium())));
  return {
    play: async (scenario, look, openedAt) => {
      const opened = scenario.hasAlerts === true ? await openWithAlerts() : browser;
      const context = await opened.newContext({ ...usual, ...options, ...scenario.options });
      context.setDefaultTimeout(timeoutMs);
      await context.addInitScript(countShifts);
      await context.addInitScript(holdToasts);
      const page = await context.newPage();
      const fixture: Fixture = { server, wire, ids, page, context };
      const failures: Error[] = [];
      try {
        await scenario.prepare?.(fixture);
        for (const screen of scenario.screens) {
          if (openedAt !== undefined) await resize(page, openedAt(screen));
          await perform(screen, fixture, look).catch((cause: unknown) =>
            failures.push(
              new Error(
                `Screen ${screen.name} at ${page.url()}: ${cause instanceof Error ? cause.message : String(cause)}`,
                { cause },
              ),
            ),
          );
        }
      } finally {
        await scenario.finish?.(fixture);
        await context.close();
      }
      if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('\n'));
    },
    close: async () => {
      await browser.close();
      await (await withAlerts)?.close();
      await wire.close();
      await server.close();
    },
  };
}

async function perform(
  screen: ScreenState,
  fixture: Fixture,
  look: (screen: ScreenState, fixture: Fixture) => Promise<void>,
): Promise<void> {
  await screen.before?.(fixture);
  await open(screen, fixture);
  await look(screen, fixture);
  await screen.leave?.(fixture);
}

const withoutHash = (url: string) => url.replace(/#.*$/, '');

/** Opens the screen state's address anew, and does what leads from there to it. */
export async function open(screen: ScreenState, fixture: Fixture): Promise<void> {
  const { page, wire, ids } = fixture;
  if (screen.at !== undefined) {
    const address = `${wire.url}${typeof screen.at === 'string' ? screen.at : screen.at(ids)}`;
    // From one hash to another nothing would load. Elsewhere a page in between costs a process of the browser.
    if (withoutHash(page.url()) === withoutHash(address)) await page.goto('about:blank');
    await page.goto(address, { waitUntil: 'domcontentloaded' });
  }
  await screen.enter?.(fixture);
  await page.getByText(screen.shows).filter({ visible: true }).first().waitFor();
  await untilStill(page);
}

/**
 * Runs in the page before its own scripts: adds up what jumped without any input. The connection bar comes in
 * above the page when the connection is lost, and goes again: that is a message, and what moves by just its height is
 * no jump.
 */
function countShifts(): void {
  type Source = { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly };
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources?: Source[] };
  const seen = { sum: 0, what: [] as string[] };
  Object.assign(window, { seenShifts: seen });
  let line: Element | undefined;
  const heights = [0];
  const sizes = new ResizeObserver((entries) =>
    heights.push(...entries.map(({ target }) => target.getBoundingClientRect().height)),
  );
  new MutationObserver(() => {
    const now = document.querySelector('section[data-kind]') ?? undefined;
    if (now !== undefined && now !== line) sizes.observe(now);
    line = now;
  }).observe(document, { subtree: true, childList: true });
  const isByTheLine = ({ previousRect: from, currentRect: to }: Source) =>
    from.left === to.left &&
    heights.some((one) => heights.some((other) => one !== other && Math.abs(to.top - from.top - (other - one)) < 1));
  const isOfTheLine = ({ sources = [] }: Shift): boolean => {
    const outside = sources.filter(({ node }) => node === undefined || line?.contains(node) !== true);
    // What comes into the window has no previous place; what moved with it has.
    const moved = outside.filter(({ previousRect: from, currentRect: to }) => from.width > 0 && to.width > 0);
    return sources.length > 0 && (moved.length > 0 || outside.length === 0) && moved.every(isByTheLine);
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput || isOfTheLine(entry)) continue;
      seen.sum += entry.value;
      seen.what.push(
        ...(entry.sources ?? []).map(({ node }) =>
          node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : String(node?.nodeName),
        ),
      );
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** What has jumped since the page was opened (cumulative layout shift), and which parts. */
export function shiftsOf(page: Page): Promise<{ sum: number; what: string[] }> {
  return page.evaluate(() => (window as unknown as { seenShifts: { sum: number; what: string[] } }).seenShifts);
}
