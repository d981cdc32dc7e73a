import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, minifySync, type Manifest, type Plugin } from 'vite';
import { pageHead } from '../shared/lib/page-head.ts';
import { fixedPages } from '../shared/lib/fixed-pages.ts';
import { pages } from '../shared/routes.ts';

/** The documents that are complete without the app: the file each is written to, and the module its route loads. */
const written = [
  { path: '/', file: pages['/'].file, module: 'routes/home-route.tsx' },
  { path: '/legal', file: pages['/legal'].file, module: 'features/legal/legal-page.tsx' },
] as const;

/** What every page needs at once, beside the entry. */
const restOfTheApp = 'compose/create-app.ts';

/** What a tap on a link of such a document opens. */
const signIn = 'features/account/sign-in-dialog.tsx';

/**
 * Pages for first visits whose first paint is written into the frame: the file each is written to, and the module its
 * route loads.
 */
const seen = [
  { sight: 'find-tradies', file: pages['/find-tradies'].file, module: 'routes/find-tradies-route.tsx' },
  { sight: 'tradie', file: pages['/tradie/$id'].file, module: 'routes/tradie-route.tsx' },
] as const;

/**
 * Writes `/` and `/legal` out as documents that ask for no script but `public/here.js`, which takes the app to them
 * where it is needed, and puts the empty frame into `index.html`, which is served for every other page. Runs before the
 * service worker is built, which caches these three. Two pages that first visits lead to have a frame with their first
 * paint in it.
 */
export function prerendered(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'dwang:prerendered',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
      outDir = resolve(config.root, config.build.outDir);
    },
    // `closeBundle` is too late: the service worker is made in it.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const manifest = JSON.parse(await readFile(join(outDir, '.vite/manifest.json'), 'utf8')) as Manifest;
        const empty = await readFile(join(outDir, 'index.html'), 'utf8');
        const here = await writeHere(outDir);
        await withPages(root, async ({ prerender, prerenderFrame, prerenderNotice }) => {
          const notice = prerenderNotice();
          const write = (file: string, filling: Filling) =>
            writeFile(join(outDir, file), fill(empty, here, notice, filling));
          for (const { path, file, module } of written) {
            const { styles } = closure(manifest, [module]);
            await write(file, {
              head: pageHead({ ...fixedPages[path], path }),
              styles,
              modules: closure(manifest, [module, restOfTheApp, signIn]).modules,
              attributes: ' data-stands',
              content: prerender(path),
              comes: 'when needed',
            });
          }
          for (const { sight, file, module } of seen) {
            await write(file, {
              head: '<title>Dwang</title>',
              ...closure(manifest, [module, restOfTheApp]),
              attributes: ` data-stands${sight === 'tradie' ? ' data-written="%written%"' : ''}`,
              content: prerenderFrame(sight),
              comes: 'once painted',
            });
          }
          await write('index.html', {
            head: '<title>Dwang</title>',
            styles: [],
            modules: closure(manifest, [restOfTheApp]).modules,
            attributes: '',
            content: prerenderFrame('nothing'),
            comes: 'at once',
          });
        });
      },
    },
  };
}

/**
 * Names `public/here.js` by its content, as everything a document loads: one document must never run the script of
 * another version.
 */
async function writeHere(outDir: string): Promise<string> {
  const path = join(outDir, 'here.js');
  const { code, errors } = minifySync(path, await readFile(path, 'utf8'));
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const named = `assets/here-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
  await writeFile(join(outDir, named), code);
  await rm(path);
  return `/${named}`;
}

/** What `app/prerender.tsx` exports. */
interface Pages {
  prerender(path: (typeof written)[number]['path']): string;
  prerenderFrame(sight: 'nothing' | (typeof seen)[number]['sight']): string;
  prerenderNotice(): string;
}

/** Builds the same modules as the page's own to run here, for as long as `use` takes. */
async function withPages(root: string, use: (pages: Pages) => Promise<void>): Promise<void> {
  await mkdir(join(root, '../node_modules/.cache'), { recursive: true });
  const outDir = await mkdtemp(join(root, '../node_modules/.cache/prerender-'));
  try {
    await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      plugins: [react()],
      build: { ssr: 'prerender.tsx', outDir, emptyOutDir: true, assetsInlineLimit: 0 },
    });
    await use((await import(pathToFileURL(join(outDir, 'prerender.js')).href)) as Pages);
  } finally {
    await rm(outDir, { recursive: true });
  }
}

interface Filling {
  /**
   * What the page says of itself; the server writes its own in the same place (`sync-server/pages/static-files.ts`).
   */
  head: string;
  /** Style sheets beside the entry's. */
  styles: readonly string[];
  /** Modules that the page needs beside the entry. */
  modules: readonly string[];
  attributes: string;
  content: string;
  /**
   * When the app comes: `at once`; `once painted`, so that connection and processor are left to what is seen, with the
   * entry behind the styles; or `when needed`, entry and all (`public/here.js`).
   */
  comes: 'at once' | 'once painted' | 'when needed';
}

const entryTag = /<script type="module"[^>]* src="([^"]+)"><\/script>/;
const ownTag =
  /\s*<(?:script type="module"|link rel="(?:stylesheet|modulepreload)"|script src="\/here.js")[^>]*>(?:<\/script>)?/g;

/**
 * Styles come before scripts: a browser with six connections to a server would otherwise ask for them when the scripts
 * are through.
 * `here.js` stands before the styles, which it would wait for.
 */
function fill(
  html: string,
  hereFile: string,
  notice: string,
  { head, styles, modules, attributes, content, comes }: Filling,
): string {
  const slot = /<!--page-head-->[^]*<!--\/page-head-->/;
  const root = '<div id="root"></div>';
  const entry = entryTag.exec(html)?.[1];
  if (!slot.test(html) || !html.includes(root) || !html.includes('</head>') || entry === undefined)
    throw new Error('index.html has no place for the head or the root, or no entry');
  const namesOf = (rel: string) =>
    [...html.matchAll(new RegExp(`<link rel="${rel}"[^>]* href="/([^"]+)"`, 'g'))].map(([, file]) => file ?? '');
  const style = (file: string) => `<link rel="stylesheet" crossorigin href="/${file}" />`;
  const preload = (priority: string) => (file: string) =>
    `<link rel="modulepreload"${priority} crossorigin href="/${file}" />`;
  const first = namesOf('modulepreload');
  const rest = modules.filter((file) => !first.includes(file));
  const sheets = [...new Set([...namesOf('stylesheet'), ...styles])].map(style);
  const here = (data: string, later: readonly string[]) =>
    `<script src="${hereFile}"${data}${later.length === 0 ? '' : ` data-later="${later.map((file) => basename(file)).join(' ')}"`}></script>`;
  const script = (priority: string) => `<script type="module"${priority} crossorigin src="${entry}"></script>`;
  const low = ' fetchpriority="low"';
  const tags = {
    'at once': () => [here('', []), ...sheets, script(''), ...[...first, ...rest].map(preload(''))],
    'once painted': () => [here('', rest), ...sheets, script(low), ...first.map(preload(low))],
    'when needed': () => [here(` data-app="${entry}"`, [entry, ...first, ...rest]), ...sheets],
  }[comes]();
  return html
    .replaceAll(ownTag, '')
    .replace(slot, () => `<!--page-head-->${head}<!--/page-head-->${tags.join('')}`)
    .replace(root, () => `<div id="root"${attributes}>${content}</div>${notice}`);
}

/** The files that these modules need beside the entry, to be fetched at once rather than one after the other. */
function closure(manifest: Manifest, names: readonly string[]): { modules: string[]; styles: string[] } {
  const modules = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (chunk.isEntry || modules.has(chunk.file)) return;
    modules.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  names.forEach(visit);
  return { modules: [...modules], styles: [...styles] };
}
