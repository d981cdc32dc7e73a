import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateOfSources, staleness } from './built.mjs';

describe('is the build stale?', () => {
  let folder: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const why = () => staleness(folder, stateOfSources(folder));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dwang-built-'));
    write('app/main.tsx', 'one');
    write('shared/tables/jobs.ts', 'two');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const build = () => write('dist/.built-from', stateOfSources(folder));

  it('yes, where there is none', () => {
    expect(why()).toBe('it was not built yet');
  });

  it('no, right after it', () => {
    build();
    expect(why()).toBeUndefined();
  });

  it.each([
    'app/main.tsx',
    'shared/tables/jobs.ts',
    'app/features/new.tsx',
    'public/here.js',
    'vite.config.ts',
    'package-lock.json',
  ])('yes, once %s has changed', (file) => {
    build();
    write(file, 'changed');
    expect(why()).toBe('its sources have changed');
  });

  it('yes, once a file is gone or has moved', () => {
    build();
    rmSync(join(folder, 'app/main.tsx'));
    expect(why()).toBeDefined();
    write('app/mian.tsx', 'one');
    expect(why()).toBeDefined();
  });

  it.each(['app/main.test.tsx', 'app/testing/fake.ts', 'sync-server/main.ts', 'README.md', 'app/ui/notes.md'])(
    'no, for %s, which is not part of it',
    (file) => {
      build();
      write(file, 'changed');
      expect(why()).toBeUndefined();
    },
  );
});
