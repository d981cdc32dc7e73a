import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../sync-server/testing/free-port.ts';
import { root, runtime } from './installed.mjs';
import { copiesOf, dockerfileText, readDockerignore, stagesOf } from './read-dockerfile.ts';

/**
 * The image without a container engine: the files that the Dockerfile copies, the packages that its `npm ci --omit=dev`
 * leaves, its environment, its command. A file or a package that the server misses there shows here.
 */
const place = mkdtempSync(join(tmpdir(), 'dwang-image-'));
const inImage = join(place, 'srv');
const data = join(place, 'data');
const shipped = stagesOf(dockerfileText).at(-1);
if (shipped === undefined) throw new Error('The Dockerfile has no stage');

let server: ChildProcess | undefined;
let env: NodeJS.ProcessEnv = {};
let output = '';

beforeAll(async () => {
  copyContext();
  linkPackages();
  // The build stage makes it; any page will do to see it served.
  mkdirSync(join(inImage, 'dist'), { recursive: true });
  writeFileSync(join(inImage, 'dist/index.html'), '<!doctype html><title>Dwang</title>');
  env = {
    ...valuesOfEnv(),
    PORT: String(await freePort()),
    DATA_DIR: data,
    ALLOW_EMBEDDED: '1',
    ADMIN_TOKEN: 'an-admin-token-of-the-test',
    DEMO: '0',
    PUBLIC_URL: 'https://dwang.example.nz',
    TZ: 'UTC',
  };
});

afterAll(() => {
  server?.kill('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});

describe('the image', () => {
  it('starts with nothing but its own files and packages, answers its own health check, writes only to its data, and stops when told', async () => {
    expect(await probe()).toBe(1);
    const before = filesIn(inImage);
    server = run(commandOf('CMD'));
    server.stdout?.on('data', (bytes: Buffer) => (output += String(bytes)));
    server.stderr?.on('data', (bytes: Buffer) => (output += String(bytes)));
    const ended = once(server, 'exit');
    await expect
      .poll(() => (server?.exitCode === null ? ready() : `ended: ${output}`), { timeout: 110_000, interval: 500 })
      .toBe(200);
    expect(await probe()).toBe(0);
    const page = await fetch(`http://127.0.0.1:${env['PORT']}/find-jobs`, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('strict-transport-security')).toContain('max-age=31536000');
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(filesIn(inImage)).toEqual(before);
  }, 180_000);
});

function copyContext(): void {
  const ignored = readDockerignore(readFileSync(join(root, '.dockerignore'), 'utf8'));
  for (const { stage, sources, target } of copiesOf(shipped!)) {
    if (stage !== undefined) continue;
    for (const source of sources) {
      const to = target.endsWith('/') ? join(inImage, target, source) : join(inImage, target);
      const wanted = (path: string) =>
        !ignored(path.slice(root.length + 1)) ||
        globSync(`${path}/*`).some((inside) => !ignored(inside.slice(root.length + 1)));
      cpSync(join(root, source), to, { recursive: true, filter: wanted });
    }
  }
}

/** Links, and a Node that does not resolve them: a package finds only what is beside its link. */
function linkPackages(): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
  };
  const kept = Object.entries(packages).filter(
    ([path, entry]) =>
      path.startsWith('node_modules/') &&
      path.lastIndexOf('node_modules/') === 0 &&
      entry.dev !== true &&
      entry.optional !== true,
  );
  for (const [path] of kept) {
    mkdirSync(dirname(join(inImage, path)), { recursive: true });
    symlinkSync(join(root, path), join(inImage, path));
  }
}

function valuesOfEnv(): Record<string, string> {
  const pairs = shipped!.steps
    .filter((step) => step.getKeyword() === 'ENV')
    .flatMap((step) => step.getArguments().map((argument) => argument.getValue().split('=')));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

/** The words of an instruction in JSON form. */
function commandOf(keyword: 'CMD' | 'HEALTHCHECK'): string[] {
  const line = shipped!.steps.find((step) => step.getKeyword() === keyword)?.getArgumentsContent() ?? '';
  return JSON.parse(line.slice(line.indexOf('['))) as string[];
}

function run([program, ...args]: string[]): ChildProcess {
  expect(program).toBe('node');
  return spawn(runtime(), ['--preserve-symlinks', '--preserve-symlinks-main', ...args], {
    cwd: inImage,
    env,
    stdio: 'pipe',
  });
}

async function probe(): Promise<number> {
  const [code] = (await once(run(commandOf('HEALTHCHECK')), 'exit')) as [number];
  return code;
}

async function ready(): Promise<number> {
  return fetch(`http://127.0.0.1:${env['PORT']}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
