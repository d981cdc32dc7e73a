import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, minifySync, type Manifest, type Plugin } from 'vite';
import { documentsFile } from '../shared/inlined.ts';
import { pageHead } from '../shared/lib/page-head.ts';
import { fixedPages } from '../shared/fixed-pages.ts';
import { pages, type PagePath } from '../shared/routes.ts';

interface Written {
  path: Extract<PagePath, '/' | '/legal' | '/find-tradies' | '/tradie/$id'>;
  /** The module its route loads. */
  module: string;
  comes: Filling['comes'];
  /** What is in it is drawn by the server, as it is asked for (`app/documents.tsx`). */
  isDrawn: boolean;
}

/** The documents that stand without the app. */
const written: readonly Written[] = [
  { path: '/', module: 'routes/home-route.tsx', comes: 'when needed', isDrawn: false },
  { path: '/legal', module: 'features/legal/legal-page.tsx', comes: 'when needed', isDrawn: false },
  { path: '/tradie/$id', module: 'routes/tradie-route.tsx', comes: 'when needed', isDrawn: true },
  { path: '/find-tradies', module: 'routes/find-tradies-route.tsx', comes: 'when used', isDrawn: true },
];

/** What every page needs at once, beside the entry. */
const restOfTheApp = 'compose/create-app.ts';

/** What a tap on a link of a document opens. */
const signIn = 'features/account/sign-in-dialog.tsx';

/**
 * Writes the pages that first visits lead to out as documents that ask for no script but `public/here.js`, which takes
 * the app to them where it is needed, and puts the empty frame into `index.html`, which is served for every other page.
 * Runs before the service worker is built, which caches `/`, `/legal` and the frame. What two of them show is the
 * server's to say: for these it builds what draws it.
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
        await buildDocuments(root, join(outDir, documentsFile));
        await withPages(root, async ({ prerender, prerenderFrame, prerenderNotice }) => {
          const notice = prerenderNotice();
          const write = (file: string, filling: Filling) =>
            writeFile(join(outDir, file), fill(empty, here, notice, filling));
          for (const { path, module, comes, isDrawn } of written) {
            const { styles } = closure(manifest, [module]);
            await write(pages[path].file, {
              head: isFixed(path) && !isDrawn ? pageHead({ ...fixedPages[path], path }) : '<title>Dwang</title>',
              styles,
              modules: closure(manifest, [module, restOfTheApp, ...(comes === 'when needed' ? [signIn] : [])]).modules,
              attributes: ` data-stands${isDrawn ? ' data-written="%written%"' : ''}`,
              content: isDrawn ? '%content%' : prerender(path),
              comes,
            });
          }
          await write('index.html', {
            head: '<title>Dwang</title>',
            styles: [],
            modules: closure(manifest, [restOfTheApp]).modules,
            attributes: '',
            content: prerenderFrame(),
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
  prerender(path: Written['path']): string;
  prerenderFrame(): string;
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

const isFixed = (path: string): path is keyof typeof fixedPages => Object.hasOwn(fixedPages, path);

/** One file, its libraries in it: the server has none of the app's. */
async function buildDocuments(root: string, file: string): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'documents.tsx',
      outDir: dirname(file),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: { output: { entryFileNames: basename(file) } },
    },
  });
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
   * When the app comes: `at once`; `when needed`, for a person who is signed in or on the way to it; or `when used`,
   * with the first tap, key or scroll as well (`public/here.js`).
   */
  comes: 'at once' | 'when needed' | 'when used';
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
  const preload = (file: string) => `<link rel="modulepreload" crossorigin href="/${file}" />`;
  const first = namesOf('modulepreload');
  const rest = modules.filter((file) => !first.includes(file));
  const sheets = [...new Set([...namesOf('stylesheet'), ...styles])].map(style);
  const here = (data: string, later: readonly string[]) =>
    `<script src="${hereFile}"${data}${later.length === 0 ? '' : ` data-later="${later.map((file) => basename(file)).join(' ')}"`}></script>`;
  const script = `<script type="module" crossorigin src="${entry}"></script>`;
  const stands = (data: string) => [here(` data-app="${entry}"${data}`, [entry, ...first, ...rest]), ...sheets];
  const tags = {
    'at once': () => [here('', []), ...sheets, script, ...[...first, ...rest].map(preload)],
    'when needed': () => stands(''),
    'when used': () => stands(' data-used=""'),
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
