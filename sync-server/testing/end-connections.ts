import { afterAll } from 'vitest';

/**
 * Node keeps the connections of `fetch` under these names of undici, by the version of its interface. There is no other
 * way to reach them.
 */
const keys = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

interface Agent {
  destroy(): Promise<void>;
}
const agents = globalThis as unknown as Record<symbol, Agent | undefined>;

/**
 * The connections that a file's `fetch` left open end with the file: files share a process, and the system may give the
 * port of one file's server to the next one's.
 */
afterAll(async () => {
  for (const key of keys) {
    const agent = agents[key];
    if (agent === undefined) continue;
    agents[key] = new (agent.constructor as new () => Agent)();
    await agent.destroy();
  }
});
