import type { BrowserContext } from '@playwright/test';
import type { PersonDb } from '../app/db/person-db.ts';
import { createId } from '../shared/lib/id.ts';
import { jpegOf } from '../shared/testing/tiny-pictures.ts';
import type { SeededRandom } from '../shared/testing/random-source.ts';
import type { Tab } from './engines/tab.ts';

/*
 * A person who writes faster than fingers can: the page's own engine, called as its own screens do (`sync.mutate`), and
 * a journal, outside the browser, of everything the page showed. A browser that is killed takes nothing of the journal
 * with it.
 */

export type StepName = 'job.post' | 'job.edit' | 'job.close';

export interface Step {
  readonly name: StepName;
  readonly args: unknown;
  /** What is written with it, in the same transaction. */
  readonly photo?: { readonly id: string; readonly path: string };
}

/** What is done to one job, in this order; the last that was shown as saved must be on the server at the end. */
export interface Chain {
  readonly id: string;
  /** Its title after each step. */
  readonly titles: readonly string[];
  readonly steps: readonly Step[];
}

export interface JournalEntry {
  /** `saved`: the page may say "Saved on this phone". The others: the outcome that it showed. */
  readonly word: 'saved' | 'applied' | 'rejected' | 'cancelled' | 'still-waiting' | 'failed';
  readonly uid: string;
  readonly id: string;
  readonly step: number;
  readonly why?: string;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Resolves when this many writes in all were shown as saved. */
  untilSaved(count: number): Promise<void>;
  /** Takes an entry as the page sends it. */
  hear(text: string): void;
  /** Lets the pages of a browser write to this journal; once for each start of the browser. */
  listenTo(context: BrowserContext): Promise<void>;
}

export function createJournal(): Journal {
  const entries: JournalEntry[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const saved = () => entries.filter(({ word }) => word === 'saved').length;
  const hear = (text: string) => {
    entries.push(JSON.parse(text) as JournalEntry);
    const now = saved();
    for (const { count, resolve } of waiting) if (count <= now) resolve();
    waiting = waiting.filter(({ count }) => count > now);
  };
  return {
    entries,
    untilSaved: (count) =>
      new Promise((resolve) => {
        if (saved() >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    hear,
    listenTo: async (context) => void (await context.exposeFunction('tellTest', hear)),
  };
}

/** The bytes of every photo: as many as a real one has when it has been made smaller. */
export const photoBytes = jpegOf(200_000);

/**
 * Jobs to write: each is posted, some are edited once or twice, some are closed at the end. Of `photoEvery` one has a
 * photo, and stays open.
 */
export function planChains(random: SeededRandom, prefix: string, count: number, photoEvery = Infinity): Chain[] {
  return Array.from({ length: count }, (_, at): Chain => {
    const id = createId(Date.now(), random);
    const titles = [`${prefix} ${at}`];
    const fields = {
      description: 'As soon as it suits you.',
      locationId: 'southland/winton',
      budgetMax: null,
      urgency: 'slow',
      categoryId: 'builder',
    };
    const hasPhoto = at % photoEvery === 0 && photoEvery !== Infinity;
    const photo = { id: createId(Date.now(), random), path: `${id}/${Date.now()}-kept.jpg` };
    const post: Step = { name: 'job.post', args: { id, title: titles[0], ...fields } };
    const steps: Step[] = [hasPhoto ? { ...post, photo } : post];
    for (let edits = random.below(3); edits > 0; edits -= 1) {
      const before = titles.at(-1);
      const title = `${prefix} ${at}, edit ${steps.length}`;
      steps.push({ name: 'job.edit', args: { id, set: { title }, base: { title: before } } });
      titles.push(title);
    }
    if (random.below(4) === 0 && !hasPhoto) {
      steps.push({ name: 'job.close', args: { id } });
      titles.push(titles.at(-1) ?? '');
    }
    return { id, titles, steps };
  });
}

/** Starts the page's writing, `hands` jobs at a time, and returns at once: the journal gets the rest. */
export async function beginWriting(page: Tab, chains: readonly Chain[], hands = 3): Promise<void> {
  await untilSessionContext(page);
  await page.evaluate(
    ([all, atOnce, size, head]) => {
      const photosOf = (jobId: string, photo: Step['photo']) => {
        if (photo === undefined) return {};
        const bytes = new Uint8Array(size).fill(0x5a);
        bytes.set(head);
        bytes.set([0xff, 0xd9], size - 2);
        const kept = { state: 'waiting', attempts: 0, error: null, addedAt: new Date().toISOString() };
        return { photos: [{ ...photo, ...kept, jobId, bytes: bytes.buffer, type: 'image/jpeg', name: 'kept.jpg' }] };
      };
      const { context, tellTest } = window as unknown as InPage;
      const tellJournal = (line: JournalEntry) => void tellTest(JSON.stringify(line));
      const left = [...all];
      const hand = async () => {
        for (let chain = left.shift(); chain !== undefined; chain = left.shift()) {
          for (const [step, { name, args, photo }] of chain.steps.entries()) {
            const line = { id: chain.id, step };
            try {
              const { uid } = await context.sync.mutate(name, args, photosOf(chain.id, photo));
              tellJournal({ ...line, word: 'saved', uid });
              void context.sync.waitFor(uid, Infinity).then(({ kind }) => tellJournal({ ...line, word: kind, uid }));
            } catch (error) {
              tellJournal({ ...line, word: 'failed', uid: '', why: String(error) });
              break;
            }
          }
        }
      };
      for (let at = 0; at < atOnce; at += 1) void hand();
    },
    [chains, hands, photoBytes.length, [...photoBytes.subarray(0, 100)]] as const,
  );
}

/** How many writes are pending on this phone. */
export const countWaiting = async (page: Tab) => (await countUnsent(page)).writes;

/** The same, and the photos whose bytes wait. */
export async function countUnsent(page: Tab): Promise<{ writes: number; photos: number }> {
  await untilSessionContext(page);
  return page.evaluate(async () => {
    const { mutations, photos } = await (window as unknown as InPage).context.sync.unsent();
    return { writes: mutations.length, photos };
  });
}

/** The part of the product's session context (app/context/app-context.ts) that is used here. */
interface InPage {
  context: {
    userId: string;
    sync: {
      mutate(name: string, args: unknown, companions: object): Promise<{ uid: string }>;
      waitFor(uid: string, ms: number): Promise<{ kind: JournalEntry['word'] }>;
      unsent(): Promise<{ mutations: unknown[]; photos: number }>;
    };
  };
  tellTest(text: string): unknown;
}

/**
 * Begins a writing transaction over this store alone, which stays open as long as the page lives. Returns whether it
 * has written within this many ms: one that has to wait its turn has not.
 */
export async function holdWrite(page: Tab, store: 'drafts' | 'profiles', withinMs: number): Promise<boolean> {
  await untilSessionContext(page);
  return page.evaluate(
    ([name, ms]) => {
      const { db } = (window as unknown as { context: { db: PersonDb } }).context;
      return new Promise<boolean>((resolve, reject) => {
        setTimeout(resolve, ms, false);
        db.transaction('rw', name, async () => {
          const table = db.table(name);
          await table.put(name === 'drafts' ? { key: 'held' } : { id: 'held' });
          for (;;) {
            await table.count();
            resolve(true);
          }
        }).catch(reject);
      });
    },
    [store, withinMs] as const,
  );
}

/** How many entries the outbox backup holds (app/outbox-backup): a record has those that came together. */
export function countBackedUp(page: Tab): Promise<number> {
  return page.evaluate(async () => {
    let count = 0;
    for (const name of (await caches.keys()).filter((one) => one.startsWith('dwang-person-spare-'))) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        // It may have been taken out meanwhile.
        if (response === undefined) continue;
        count += request.url.includes('/outbox/') ? ((await response.json()) as unknown[]).length : 1;
      }
    }
    return count;
  });
}

/**
 * The product has no interface for tests: the session context of the signed-in person is found in React's internals, as
 * its own tools do.
 */
async function untilSessionContext(page: Tab): Promise<void> {
  await page
    .waitForFunction(() => {
      interface Fiber {
        memoizedProps?: { value?: { authState?: { current(): { context?: unknown } } } };
        child?: Fiber | null;
        sibling?: Fiber | null;
      }
      /** Its two fibers take turns, and the container may name the one that is not drawn. */
      interface RootFiber {
        stateNode: { current: Fiber };
      }
      const root = document.getElementById('root');
      const key = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer$'));
      if (root === null || key === undefined) return false;
      const open = [(root as unknown as Record<string, RootFiber>)[key]?.stateNode.current];
      for (let fiber = open.pop(); fiber !== undefined; fiber = open.pop()) {
        const authState = fiber.memoizedProps?.value?.authState;
        if (authState !== undefined) {
          const { context } = authState.current();
          Object.assign(window, { context });
          return context !== undefined;
        }
        for (const next of [fiber.sibling, fiber.child]) if (next != null) open.push(next);
      }
      return false;
    })
    .catch(async (error: unknown) => {
      throw new Error(
        `No person is signed in at ${page.url()}: ${(await page.locator('body').innerText()).slice(0, 200)}`,
        { cause: error },
      );
    });
}
