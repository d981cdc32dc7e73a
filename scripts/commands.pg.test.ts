import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { root, toolEnv } from './installed.mjs';

/*
 * Every command of package.json, as npm runs it. A word that it does not know must end it before it has done anything:
 * `npm run ops -- restored` begins a new timeline of the database, `npm test` takes an hour.
 */

/** Each is a process of its own; on a busy machine that takes seconds. */
vi.setConfig({ testTimeout: 300_000 });

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
/** They hand their words to a tool that says the same in its own way. */
const toolsOfOthers = ['build', 'looks', 'format'];
const operators = [
  'doctor',
  'backup',
  'restore',
  'restored',
  'parked',
  'person',
  'export',
  'retention',
  'reconcile',
].map((what) => `ops -- ${what}`);
const ours = [...Object.keys(scripts).filter((name) => !toolsOfOthers.includes(name)), ...operators];

/** Runs it to its end, in an environment in which whatever it did would fail. */
async function run(name: string, ...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const [script = '', what] = name.split(' -- ');
  const [program = '', ...args] = [
    ...(scripts[script] ?? '').split(' '),
    ...(what === undefined ? [] : [what]),
    ...words,
  ];
  const env = { ...toolEnv(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere', LOG_LEVEL: 'silent' };
  return promisify(execFile)(program, args, { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

test.for(ours)(
  'npm run %s ends at a word that it does not know, and says how it is called',
  { concurrent: true },
  async (name) => {
    const { code, stdout, stderr } = await run(name, '--no-such-word');
    const usedAs: Record<string, string> = {
      start: 'npm start',
      test: 'npm test',
      'test:long': 'npm test',
      load: 'npm run bench',
    };
    const called = usedAs[name] ?? `npm run ${name}`;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^Unknown option '--no-such-word'\\.\n\n${called}`)),
    });
  },
);

test.for(toolsOfOthers)('npm run %s ends at a word that it does not know', { concurrent: true }, async (name) => {
  const { code, stderr } = await run(name, '--no-such-word');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/[Uu]nknown option|not expected/) });
});

test.each([
  ['ops -- restored', ['--help'], 0, /^npm run ops -- restored \[--known <version>\] \[--apart\]\n$/],
  ['ops -- parked', ['replay', '--user', 'a'], 2, /^replay which one\? --user and --uid/],
  ['ops', ['restroed'], 2, /^There is no “restroed”\.\n\nnpm run ops -- <what>\n[^]* reconcile /],
  ['load', ['B99'], 2, /^There is no B99; there are /],
  [
    'ops -- backup',
    ['--copy-to', '/no/such/folder'],
    1,
    /^There is no folder \/no\/such\/folder\. Nothing was backed up\.\n$/,
  ],
  ['migrate', [], 1, /^connect ECONNREFUSED 127\.0\.0\.1:1\n$/],
  ['ops -- restored', [], 1, /^connect ECONNREFUSED 127\.0\.0\.1:1\n$/],
] as const)(
  'npm run %s %j ends with %i and says why, in a line',
  { concurrent: true },
  async (name, words, wanted, says) => {
    const { code, stdout, stderr } = await run(name, ...words);
    expect({ code, said: `${stdout}${stderr}` }).toEqual({ code: wanted, said: expect.stringMatching(says) });
  },
);
