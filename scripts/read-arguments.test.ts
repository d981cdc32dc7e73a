import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readArguments } from './read-arguments.mjs';

const use = 'npm run something -- --who <id> [--often N]';
const options = {
  who: { type: 'string' },
  often: { type: 'string', isNumber: true, default: '3' },
  dry: { type: 'boolean', default: false },
} as const;

let said: { out: string[]; err: string[] };
beforeEach(() => {
  said = { out: [], err: [] };
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.out.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void said.err.push(line));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`ended with ${String(code)}`);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** As if the command had been called with these words. */
function calledWith(words: string[], settings?: { allowPositionals?: boolean }) {
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'something.ts', ...words]);
  return readArguments(use, options, settings);
}

test('what it was called with', () => {
  expect(calledWith(['--who', 'a@example.nz', '--often=12'])).toEqual({
    values: { who: 'a@example.nz', often: '12', dry: false },
    positionals: [],
  });
  expect(calledWith(['list', '--dry'], { allowPositionals: true })).toEqual({
    values: { often: '3', dry: true },
    positionals: ['list'],
  });
});

test.each(['--help', '-h'])('%s says how it is called, and ends well', (word) => {
  expect(() => calledWith([word])).toThrow('ended with 0');
  expect(said).toEqual({ out: [use], err: [] });
});

test.each([
  [['--whom', 'a'], "Unknown option '--whom'."],
  [['list'], "Unexpected argument 'list'."],
  [['--who'], "Option '--who <value>' argument missing."],
  [['--who', '--dry'], "Option '--who' argument is ambiguous."],
  [['--dry=yes'], "Option '--dry' does not take an argument."],
  [['--often', 'daily'], '--often takes a whole number, not “daily”.'],
  [['--often', '-1'], "Option '--often' argument is ambiguous."],
  [['--often=-1'], '--often takes a whole number, not “-1”.'],
])('%j is said, with how it is called, and ends with 2', (words, why) => {
  expect(() => calledWith(words)).toThrow('ended with 2');
  expect(said.out).toEqual([]);
  expect(said.err).toHaveLength(1);
  expect(said.err[0]?.split('\n')[0]).toBe(why);
  expect(said.err[0]).toContain(`\n\n${use}`);
});
