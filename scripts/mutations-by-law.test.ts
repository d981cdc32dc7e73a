import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';

const app = new URL('../app/', import.meta.url).pathname;

/** A call of the engine's own `mutate`, or a way to get hold of it. */
const startsWithoutLaw = (source: string) =>
  /\bsync\s*\.\s*mutate\b|\{[^}]*\bmutate\b[^}]*\}\s*=\s*(?:\w+\.)?sync\b/.test(source);

test('a control that starts a mutation asks its law first: screens know no other way than useMutation', async () => {
  expect(startsWithoutLaw('await context.sync.mutate(name, args)')).toBe(true);
  expect(startsWithoutLaw('const { status, mutate } = sync;')).toBe(true);
  expect(startsWithoutLaw('const { mutate } = context.sync;')).toBe(true);
  expect(startsWithoutLaw("const { mutate } = useMutation('job.close', job);")).toBe(false);
  const found: string[] = [];
  let read = 0;
  for await (const file of glob(
    [
      'features/**/*.{ts,tsx}',
      'routes/**/*.{ts,tsx}',
      'hooks/**/*.{ts,tsx}',
      'parts/**/*.{ts,tsx}',
      'context/**/*.{ts,tsx}',
    ],
    { cwd: app },
  )) {
    if (file.includes('.test.') || file.endsWith('hooks/use-mutation.ts')) continue;
    read += 1;
    if (startsWithoutLaw(readFileSync(`${app}${file}`, 'utf8'))) found.push(file);
  }
  expect(read).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
