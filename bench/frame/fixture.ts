import { openWorld, type World } from '../world/open-world.ts';
import { startPostgres, type Postgres } from '../world/start-postgres.ts';

/** What workloads share. Everything is opened at its first use, and closed at the end. */
export interface Fixture {
  /** How often each figure is taken; five at least, where it is published. */
  readonly runs: number;
  postgres(): Promise<Postgres>;
  /**
   * The seeded marketplace with so many active jobs behind a server of its own; 5,000 tradies, 400 towns, 40
   * categories.
   */
  world(jobs?: number): Promise<World>;
  /** A separate one, for a workload that adds to it or counts on its number. The caller closes it. */
  ownWorld(jobs?: number): Promise<World>;
  /** What a workload opens that must be closed at the end, the last first. */
  onClose(close: () => Promise<void>): void;
  /** Prints progress. */
  say(words: string): void;
  close(): Promise<void>;
}

export const fullSize = 20_000;

export function openFixture({ runs, say }: { runs: number; say: (words: string) => void }): Fixture {
  const closers: (() => Promise<void>)[] = [];
  const worlds = new Map<number, Promise<World>>();
  let postgres: Promise<Postgres> | undefined;

  const fixture: Fixture = {
    runs,
    say,
    postgres: () => {
      postgres ??= startPostgres().then((started) => {
        closers.push(started.stop);
        return started;
      });
      return postgres;
    },
    world: async (jobs = fullSize) => {
      const shared =
        worlds.get(jobs) ??
        (async () => {
          const opened = await fixture.ownWorld(jobs);
          closers.push(opened.close);
          return opened;
        })();
      worlds.set(jobs, shared);
      return shared;
    },
    ownWorld: async (jobs = fullSize) => {
      say(`seeding ${jobs.toLocaleString('en-NZ')} jobs`);
      return openWorld(await fixture.postgres(), jobs);
    },
    onClose: (close) => void closers.push(close),
    close: async () => {
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
  return fixture;
}
