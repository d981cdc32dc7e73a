import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seededRandom } from '../shared/testing/random-source.ts';
import { budgets, measureWeight, weigh } from './measure-weight.ts';

const document =
  '<script src="/assets/here.js"></script><script type="module" crossorigin src="/assets/first.js"></script>';
const standing = '<script src="/assets/here.js" data-app="/assets/first.js" data-later="first.js dialog.js"></script>';
let dist: string;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'dwang-weight-'));
  write(
    '.vite/manifest.json',
    JSON.stringify({
      'compose/create-app.ts': { file: 'assets/create-app.js', imports: ['_shared.js'] },
      'features/frame/member-frame.tsx': { file: 'assets/member-frame.js', imports: ['_shared.js'] },
      'routes/dashboard-route.tsx': { file: 'assets/dashboard.js', imports: ['_shared.js'] },
      '_shared.js': { file: 'assets/shared.js' },
    }),
  );
  write('index.html', document);
  write('home.html', standing);
  for (const name of ['first', 'dialog', 'create-app', 'member-frame', 'dashboard', 'shared'])
    write(`assets/${name}.js`, noise(1_000));
  write('assets/here.js', noise(500));
  write(
    'service-worker.js',
    '[{"url":"index.html"},{"url":"home.html"},{"url":"assets/first.js"}] {file:`named.html`}',
  );
  write('named.html', noise(500));
});
afterEach(() => rmSync(dist, { recursive: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), content);
}

/** Text that hardly compresses: as many random letters of 64. */
function noise(length: number): string {
  const random = seededRandom(length);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return Array.from({ length: Math.round(length) }, () => letters[random.below(64)]).join('');
}

const within = (engine = '') => weigh(measureWeight(dist, engine)).isWithin;

test('a small build is within, and each file counts once', () => {
  const [landing, signIn, signedIn, engine, precache] = measureWeight(dist, 'x').map(({ bytes }) => bytes);
  expect(within()).toBe(true);
  // Half a file; the entry and the dialog; half a file, the entry, create-app, member-frame, dashboard and what they
  // share, once.
  expect((signIn ?? 0) / (landing ?? 1)).toBeCloseTo(4, 0);
  expect((signedIn ?? 0) / (landing ?? 1)).toBeCloseTo(11, 0);
  expect(engine).toBeLessThan(30);
  expect(precache).toBe(1_000 + document.length + standing.length);
});

test.each([
  ['the first page', 'assets/here.js', budgets.landing * 1.4],
  ['what a tap on it waits for', 'assets/dialog.js', budgets.signIn * 1.4],
  ['what a signed-in start needs', 'assets/shared.js', budgets.signedIn * 1.4],
  ['what the service worker keeps', 'assets/first.js', budgets.precache + 1],
])('%s over its budget fails', (_what, file, length) => {
  write(file, noise(length));
  const { table, isWithin } = weigh(measureWeight(dist, ''));
  expect(isWithin).toBe(false);
  expect(table).toContain('OVER by');
});

test('an engine over its budget fails', () => {
  expect(within(noise(budgets.engineGzip * 1.4))).toBe(false);
});

test('a build in which a piece is not found is no light build', () => {
  write('.vite/manifest.json', '{}');
  expect(() => measureWeight(dist, '')).toThrow('the build has no compose/create-app.ts');
});

test('a first page that names no app is none', () => {
  write('home.html', document);
  expect(() => measureWeight(dist, '')).toThrow('the document names no app');
});

test('a service worker without the pages is none', () => {
  write('service-worker.js', '[{"url":"index.html"}]');
  expect(() => measureWeight(dist, '')).toThrow('does not keep home.html');
});
