import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The engines beside Chromium that the product is tried in, each with what Debian calls what it needs. */
export const engines = {
  firefox: {
    packages: ['firefox-esr'],
    programs: ['firefox-esr', 'firefox'],
    also: [],
    files: [],
  },
  webkit: {
    packages: ['webkit2gtk-driver', 'gir1.2-webkit2-4.1', 'python3-gi', 'xvfb'],
    programs: ['WebKitWebDriver'],
    also: ['Xvfb'],
    // The tests' own embedding is made with these (e2e/engines/webkit-phone.py).
    files: ['/usr/lib/*/girepository-1.0/WebKit2-4.1.typelib', '/usr/lib/python3/dist-packages/gi/__init__.py'],
  },
} as const;

export type Engine = keyof typeof engines;

/** Where this program is on this machine. */
function onPath(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

export function findEngine(engine: Engine): string | undefined {
  const { programs, also, files } = engines[engine];
  if (also.some((program) => onPath(program) === undefined)) return undefined;
  if (files.some((pattern) => globSync(pattern).length === 0)) return undefined;
  return programs.map(onPath).find((path) => path !== undefined);
}

export const howToGet = (engine: Engine) =>
  `No ${engine === 'firefox' ? 'Firefox' : 'WebKitGTK'} was found (Debian, Ubuntu: sudo apt-get install ${engines[engine].packages.join(' ')}).`;

/** The virtual screen for WebKit, which does without none. @throws Error where it is not on this machine. */
export function mustFindScreen(): string {
  const path = onPath(engines.webkit.also[0]);
  if (path === undefined) throw new Error(howToGet('webkit'));
  return path;
}

/** @throws Error where it is not on this machine. */
export function mustFind(engine: Engine): string {
  const path = findEngine(engine);
  if (path === undefined) throw new Error(howToGet(engine));
  return path;
}
