import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asDemo } from './homeowner-scenario.ts';
import type { Scenario } from './screen-state.ts';

const newVersion = "A new version is ready. Reload when you're done.";

/** A newer build is on the server. The last scenario: every page would be notified of it. */
export const updateScenario: Scenario = {
  name: 'new version',
  prepare: async (fixture) => {
    await asDemo('homeowner')(fixture);
    const built = await readFile(join(import.meta.dirname, '../../dist/service-worker.js'), 'utf8');
    fixture.wire.change('/service-worker.js', `${built}\n// The next build.\n`);
    await fixture.page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await fixture.page.getByText(newVersion).waitFor();
  },
  screens: [{ name: 'update', shows: newVersion }],
};
