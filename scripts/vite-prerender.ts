import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';
import { pageHead } from '../shared/lib/page-head.ts';
import { fixedPages } from '../shared/lib/fixed-pages.ts';
import { pages } from '../shared/routes.ts';

/** The pages that show without any script, the file each is written to, and the module its route loads. */
const written = [
  { path: '/', file: pages['/'].file, module: undefined },
  { path: '/legal', file: pages['/legal'].file, module: 'features/legal/legal-page.tsx' },
] as const;

/** What every other page needs at once, beside the entry. */
const restOfTheApp = 'compose/create-app.ts';

/** Pages for first visits whose first paint is written into the frame: the file each is written to, and the module its route loads. */
const seen = [
  { sight: 'find-tradies', file: pages['/find-tradies'].file, module: 'routes/find-tradies-route.tsx' },
  { sight: 'tradie', file: pages['/tradie/$id'].file, module: 'routes/tradie-route.tsx' },
] as const;

/**
 * Writes `/` and `/legal` out as HTML by the app's own routes, and puts the empty frame into `index.html`, which is served for every
 * other page. Runs before the service worker is built, which caches these three. Two pages that first visits lead to have a frame with
 * their first paint in it.
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
    // Not `closeBundle`, in which the service worker is made.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const manifest = JSON.parse(await readFile(join(outDir, '.vite/manifest.json'), 'utf8')) as Manifest;
        const empty = await readFile(join(outDir, 'index.html'), 'utf8');
        await withPages(root, async ({ prerender, prerenderFrame }) => {
          for (const { path, file, module } of written) {
            const links = module === undefined ? [] : preloads(manifest, [module], { withStyles: true });
            const content = await prerender(path);
            await writeFile(
              join(outDir, file),
              fill(empty, {
                head: pageHead({ ...fixedPages[path], path }),
                links,
                attributes: ` data-path="${path}"`,
                content,
                isSeenFirst: true,
              }),
            );
          }
          for (const { sight, file, module } of seen) {
            const links = preloads(manifest, [module, restOfTheApp], { withStyles: true }).map(afterFirstSight);
            const attributes = ` data-sight${sight === 'tradie' ? ' data-written="%written%"' : ''}`;
            await writeFile(
              join(outDir, file),
              fill(empty, {
                head: '<title>Dwang</title>',
                links,
                attributes,
                content: prerenderFrame(sight),
                isSeenFirst: true,
              }),
            );
          }
          const links = preloads(manifest, [restOfTheApp], { withStyles: false });
          await writeFile(
            join(outDir, 'index.html'),
            fill(empty, {
              head: '<title>Dwang</title>',
              links,
              attributes: '',
              content: prerenderFrame('nothing'),
              isSeenFirst: false,
            }),
          );
        });
      },
    },
  };
}

/** What `app/prerender.tsx` exports. */
interface Pages {
  prerender(path: string): Promise<string>;
  prerenderFrame(sight: 'nothing' | (typeof seen)[number]['sight']): string;
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
  /** What the page says of itself; the server writes its own in the same place (`sync-server/pages/static-files.ts`). */
  head: string;
  links: readonly string[];
  attributes: string;
  content: string;
  /** The page shows something before any script has run. */
  isSeenFirst: boolean;
}

/** Styles come before scripts: a browser with six connections to a server would otherwise ask for them when the scripts are through. */
function fill(html: string, { head, links, attributes, content, isSeenFirst }: Filling): string {
  const slot = /<!--page-head-->[^]*<!--\/page-head-->/;
  const root = '<div id="root"></div>';
  if (!slot.test(html) || !html.includes(root) || !html.includes('</head>'))
    throw new Error('index.html has no place for the head or the root');
  const isStyle = (tag: string) => tag.includes('rel="stylesheet"');
  const own = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  const styles = [...own, ...links.filter(isStyle)].join('');
  const bare = own.reduce((rest, tag) => rest.replace(tag, ''), html);
  const whole = bare
    .replace(slot, () => `<!--page-head-->${head}<!--/page-head-->${styles}`)
    .replace('</head>', () => `${links.filter((tag) => !isStyle(tag)).join('')}</head>`)
    .replace(root, () => `<div id="root"${attributes}>${content}</div>`);
  // Where there is something to see, its styles go first on a slow connection, and the scripts that handle presses after them.
  return isSeenFirst
    ? whole.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
    : whole;
}

/** A module is asked for by `public/here.js` once the page is seen: until then the connection and the processor are left to what is seen. */
const afterFirstSight = (tag: string) => tag.replace('rel="modulepreload" crossorigin href=', 'data-later=');

/** Links that fetch modules and all they need at once, rather than one after the other. */
function preloads(manifest: Manifest, modules: readonly string[], { withStyles }: { withStyles: boolean }): string[] {
  const files = new Set<string>();
  const styles = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (chunk.isEntry || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  modules.forEach(visit);
  const scripts = [...files].map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
  return [
    ...(withStyles ? [...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`) : []),
    ...scripts,
  ];
}
