import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Runs a module in a Node of its own; its exit code. */
async function exitCodeOf(module: string): Promise<unknown> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', module], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

it('a process that used PostgreSQL ends with the exit code it was given: a run with a failing test is not reported as passed', async () => {
  const start = pathToFileURL(join(import.meta.dirname, 'start-postgres.ts')).href;
  const module = `
    const { startPostgres } = await import(${JSON.stringify(start)});
    const server = await startPostgres({ isDurable: false });
    await server.stop();
    // As vitest does where a test failed: the process then ends by itself.
    process.exitCode = 3;`;
  expect(await exitCodeOf(module)).toBe(3);
});
