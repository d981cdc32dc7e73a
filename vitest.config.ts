import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const elsewhere = ['**/node_modules/**', '**/dist/**', '.data/**'];

/**
 * Left to `npm run test:long`: each takes a quarter of a minute to a minute and a half, for what rarely changes. They
 * follow the runbooks word for word, run the operator's commands, back up and restore, install the product as its
 * image does, attack it, start it wrongly or twice, cut its power, bring up what earlier versions kept, and stop,
 * replace, promote and overload servers over one database; and run the simulator's batches, and make a failing
 * seed shorter.
 */
const inLongRunAlone =
  process.env['TEST_LONG'] === '1'
    ? []
    : [
        'scripts/{commands,image,operating,runbooks}.pg.test.ts',
        'simulate/{batch/run-seeds,trace/shrink}.test.ts',
        'simulate/stress/{attackers,check-histories,overload,rolling-restart,start-together,stress}.pg.test.ts',
        'sync-server/main.pg.test.ts',
        'sync-server/db/{power-cut,replaced-files,silent-connections}.pg.test.ts',
        'sync-server/embedded/backup.pg.test.ts',
        'sync-server/embedded/auth/earlier-accounts.pg.test.ts',
        'sync-server/store/safe-log.pg.test.ts',
        'sync-server/sync/failover.pg.test.ts',
      ];

/** Generous on purpose: a slow machine is no failure, and no test waits for a clock to prove anything. */
const patient = {
  testTimeout: 180_000,
  hookTimeout: 240_000,
  teardownTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
};

/** A test waits for half of its time: for what it pressed to show, for a database. */
const maxWorkers = 2 * availableParallelism();

/**
 * One worker runs many files and loads nothing twice, which takes a third of the time: what a file changes of the
 * process or the document it changes back.
 */
const oneProcess = { maxWorkers, isolate: false, restoreMocks: true, unstubGlobals: true, unstubEnvs: true };

/** Whole screens typed into: worth their time, but not before every commit. */
const screens = ['app/routes/**/*.dom.test.tsx'];

/** What tests with a document share. */
const dom = {
  environment: 'happy-dom' as const,
  setupFiles: [
    'fake-indexeddb/auto',
    'app/testing/without-unique-cursors.ts',
    'app/testing/fresh-document.ts',
    'app/testing/scroll-container-height.ts',
    '@testing-library/jest-dom/vitest',
    'app/testing/query-timeout.ts',
    'app/testing/without-owner-stacks.ts',
    'app/ui/locale.ts',
  ],
  ...oneProcess,
  ...patient,
};

// oxlint-disable-next-line import/no-default-export -- vitest reads the default export
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['**/*.test.ts'],
          // Read as text: the design tokens, whose contrast is measured, and the toast’s place. Vitest empties other
          // styles.
          css: { include: [/ui\/theme\.css/, /ui\/toast-region\.module\.css/] },
          exclude: [...elsewhere, ...inLongRunAlone, '**/*.dom.test.ts', '**/*.pg.test.ts'],
          ...oneProcess,
          ...patient,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'dom',
          include: ['**/*.dom.test.ts', '**/*.dom.test.tsx'],
          exclude: [...elsewhere, ...screens],
          ...dom,
        },
      },
      { plugins: [react()], test: { name: 'screens', include: screens, exclude: elsewhere, ...dom } },
      {
        test: {
          name: 'pg',
          environment: 'node',
          globalSetup: ['sync-server/testing/global-databases.ts'],
          setupFiles: ['sync-server/testing/end-connections.ts'],
          include: ['**/*.pg.test.ts'],
          exclude: [...elsewhere, ...inLongRunAlone],
          ...oneProcess,
          ...patient,
        },
      },
    ],
  },
});
