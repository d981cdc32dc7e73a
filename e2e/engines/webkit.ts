import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mustFind, mustFindScreen } from '../../scripts/find-engines.ts';
import { freePort } from '../../sync-server/testing/free-port.ts';
import { timeoutMs } from '../timeout-ms.ts';
import { believe, type Browser, type Launch, type TabDriver } from './driver.ts';
import { endGroup } from './end-group.ts';
import { createWebDriver, type WebDriver } from './webdriver.ts';

/** How WebDriver names an element in JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** WebKit counts what a site may store in shares of the disk. */
async function shareOfDisk(folder: string, bytes: number): Promise<number> {
  const { blocks, bsize } = await statfs(folder);
  return bytes / (blocks * bsize);
}

/** A virtual screen: its process, and the name it gave itself. */
async function openScreen(): Promise<{ process: ChildProcess; name: string }> {
  const screen = spawn(mustFindScreen(), ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [chunk] = (await once(screen.stdout, 'data')) as [Buffer];
  return { process: screen, name: `:${chunk.toString().trim()}` };
}

/** What the embedding is told to do (webkit-phone.py). */
interface Order {
  do: 'preload' | 'call' | 'load' | 'back' | 'reload';
  [more: string]: unknown;
}

/** The way to the embedding, and back. */
interface Wire {
  /** @throws Error where there is no answer within `limit` ms. */
  order<Result>(what: Order, limit?: number): Promise<Result>;
  onTold(hear: (text: string) => void): void;
}

/** A script that gets no answer in this time, in ms, went away with its page. */
const callLimit = 20_000;
/**
 * A page may load for as long as a test waits for anything: the first one of a phone that was killed finds a database
 * to mend.
 */
const loadLimit = timeoutMs;

function talkOver(socket: Socket): Wire {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  const hearers: ((text: string) => void)[] = [];
  let last = 0;
  const end = () => {
    for (const { reject } of open.values()) reject(new Error('The browser has gone.'));
    open.clear();
  };
  socket.on('error', end).on('close', end);
  createInterface({ input: socket })
    .on('line', (line) => {
      const { id = 0, value, error, told } = JSON.parse(line) as Line;
      if (told !== undefined) return hearers.forEach((hear) => hear(told));
      if (error === undefined) open.get(id)?.resolve(value);
      else open.get(id)?.reject(new Error(error));
      open.delete(id);
    })
    .on('error', end);
  return {
    onTold: (hear) => void hearers.push(hear),
    order: <Result>(what: Order, limit = callLimit) => {
      const id = (last += 1);
      const answer = Promise.withResolvers<unknown>();
      open.set(id, answer);
      socket.write(`${JSON.stringify({ id, ...what })}\n`);
      const late = setTimeout(
        () => answer.reject(new Error(`No answer from the page to “${what.do}” in ${limit} ms.`)),
        limit,
      );
      return answer.promise.finally(() => clearTimeout(late)) as Promise<Result>;
    },
  };
}

interface Line {
  id?: number;
  value?: unknown;
  error?: string;
  told?: string;
}

/**
 * Runs in a page that is about to be left. A page that is left before its first service worker is activated leaves
 * WebKit's queue of registrations standing in some thirtieth case, until the browser is started again: `register`,
 * `update` and `unregister` get no answer (docs/browsers.md).
 */
const untilWorkerIsThere = `async () => {
  const { active, waiting, installing } = (await navigator.serviceWorker?.getRegistration().catch(() => undefined)) ?? {};
  const worker = active ?? waiting ?? installing;
  const isUnderWay = () => worker !== undefined && worker !== null && !['activated', 'redundant'].includes(worker.state);
  for (const end = Date.now() + 10_000; isUnderWay() && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 50));
  return '';
}`;

function drive(session: WebDriver, window: string, wire: Wire, view: number): TabDriver {
  const send = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    session.sendTo<Result>(window, method, path, body);
  const act = async (actions: readonly object[]) => {
    await send('POST', '/actions', { actions });
  };
  const call = (source: string, given: readonly string[]): Promise<string> =>
    wire.order({ do: 'call', view, body: `return (${source})(...${JSON.stringify(given)});` });
  const leave = async (by: Order): Promise<void> => {
    // A page that goes away by itself meanwhile has nothing to wait for.
    await call(untilWorkerIsThere, []).catch(() => undefined);
    await wire.order({ ...by, view }, loadLimit);
  };
  return {
    patience: 0,
    goto: (address) => leave({ do: 'load', address }),
    goBack: () => leave({ do: 'back' }),
    reload: () => leave({ do: 'reload' }),
    call,
    clickAt: (x, y) =>
      act([
        {
          type: 'pointer',
          id: 'pointer',
          parameters: { pointerType: 'mouse' },
          actions: [
            { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ]),
    type: (keys, how) => {
      const [down, up] = [
        keys.map((value) => ({ type: 'keyDown', value })),
        keys.map((value) => ({ type: 'keyUp', value })),
      ];
      const turns = down.flatMap((press, at) => [press, up[at] ?? press]);
      return act([{ type: 'key', id: 'key', actions: how === 'in-turn' ? turns : [...down, ...up.toReversed()] }]);
    },
    giveFiles: async (source, given, paths) => {
      const element = await send<Record<string, string>>('POST', '/execute/sync', {
        script: `return (${source})(...arguments);`,
        args: given,
      });
      await send('POST', `/element/${element[elementKey] ?? ''}/value`, { text: paths.join('\n') });
    },
    close: async () => void (await send('DELETE', '/window')),
  };
}

/** Starts WebKitGTK on this profile (webkit-phone.py) and drives it. */
export async function startWebkit({ profile, proxyPort, isOnline, room }: Launch): Promise<Browser> {
  const driver = mustFind('webkit');
  const screen = await openScreen();
  const port = await freePort();
  const address = join(profile, `test-${port}.sock`);
  const lines = createServer();
  await new Promise<void>((resolve) => lines.listen(address, resolve));
  const connected = once(lines, 'connection') as Promise<[Socket]>;

  const child = spawn(driver, [`--port=${port}`], {
    // A group of its own, so that a kill reaches all of its processes.
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: screen.name,
      TZ: 'Pacific/Auckland',
      GDK_BACKEND: 'x11',
      LC_ALL: 'C.UTF-8',
      // Without a graphics card, layers put together by OpenGL take half of the engine's time; no test here looks at
      // what is drawn.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      // No page lives long enough here for what compiles its code a second time, better, to pay: a third of the time of
      // the pages that axe looks at.
      JSC_useDFGJIT: '0',
    },
  });
  const session = await createWebDriver(`http://127.0.0.1:${port}`, {
    'webkitgtk:browserOptions': {
      binary: join(import.meta.dirname, 'webkit-phone.py'),
      args: [
        profile,
        `http://127.0.0.1:${proxyPort}`,
        address,
        String(room === undefined ? -1 : await shareOfDisk(profile, room)),
      ],
    },
  });
  const wire = talkOver((await connected)[0]);
  /** The windows that are open, by the number of their view. */
  const views = new Map<number, string>();
  const tabOf = (view: number, window: string): TabDriver => {
    const driver = drive(session, window, wire, view);
    views.set(view, window);
    return {
      ...driver,
      close: async () => {
        views.delete(view);
        await driver.close();
      },
    };
  };
  const setOnline = async (now: boolean) => {
    await wire.order({ do: 'preload', script: believe(now) });
    for (const [view, window] of views) await drive(session, window, wire, view).call(believe(now), []);
  };
  const end = async () => {
    await endGroup(child);
    lines.close();
    await endGroup(screen.process);
  };
  const [first = ''] = await session.send<string[]>('GET', '/window/handles');
  const firstTab = tabOf(0, first);
  let opened = 1;
  await setOnline(isOnline);
  return {
    firstTab,
    openTab: async () => {
      // The session must stand in a window that is still open.
      const [open = first] = views.values();
      const { handle } = await session.sendTo<{ handle: string }>(open, 'POST', '/window/new', { type: 'window' });
      return tabOf(opened++, handle);
    },
    setOnline,
    onTold: wire.onTold,
    kill: end,
    close: end,
  };
}
