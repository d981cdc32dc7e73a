import type { DeviceDb } from '../session/device-db.ts';
import { isKept, readKeptScreen, type KeptScreen } from '../session/kept-screens.ts';
import type { Clock } from '../db/clock.ts';
import { within } from '../db/within.ts';

interface KeptScreenPorts {
  openDb(): DeviceDb;
  clock: Clock;
  isOnline(): boolean;
  log(event: string, detail: string): void;
}

const here = /<script src="\/assets\/here-[^"]+"/;

/** A storage that does not answer by then keeps no page waiting. */
const patienceMs = 1_000;

/**
 * The app's frame for this address, with the page as its person left it where there is one (`public/here.js` shows it,
 * `app/lib/leave-kept-screen.ts` takes it away).
 */
export async function withKeptScreen(
  frame: Response,
  url: URL,
  { openDb, clock, isOnline, log }: KeptScreenPorts,
): Promise<Response> {
  if (!isKept(url.pathname)) return frame;
  const db = openDb();
  try {
    const reading = readKeptScreen(db, url, clock.now());
    const screen = await within(clock, patienceMs, reading, undefined);
    if (screen === undefined) return frame;
    const html = await frame.clone().text();
    if (!html.includes(` src="${screen.build}"`) || !here.test(html)) return frame;
    const { status, headers } = frame;
    return new Response(withScreen(html, screen, isOnline()), { status, headers });
  } catch (error) {
    log('screen', String(error));
    return frame;
  } finally {
    db.close();
  }
}

function withScreen(html: string, { build, title, width, styles, html: shown }: KeptScreen, isOnline: boolean): string {
  const sheets = styles
    .filter((href) => !html.includes(`href="${href}"`))
    .map((href) => `<link rel="stylesheet" crossorigin href="${href}" />`);
  // Evaluated when it has been painted (`public/here.js`), and fetched meanwhile.
  const entry = `<script type="module" crossorigin src="${build}"></script>`;
  const attributes = `<html data-kept="${width}"${isOnline ? '' : ' data-offline'}`;
  return html
    .replace('<html', attributes)
    .replace('<title>Dwang</title>', () => `<title>${asText(title)}</title>`)
    .replace(entry, () => `${sheets.join('')}<link rel="modulepreload" crossorigin href="${build}" />`)
    .replace(here, `$& data-entry="${build}"`)
    .replace('<div id="root"', () => `<div id="kept">${shown}</div><div id="root"`);
}

const asText = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
