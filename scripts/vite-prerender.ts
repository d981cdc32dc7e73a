import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';
import { pageHead } from '../shared/lib/page-head.ts';
import { fixedPages } from '../shared/lib/fixed-pages.ts';

/** The pages that show without any script, the file each is written to, and the module its route loads. */
const written = [
  { path: '/', file: 'home.html', module: undefined },
  { path: '/legal', file: 'legal.html', module: 'features/legal/legal-page.tsx' },
] as const;

/** What every other page needs at once, beside the entry. */
const restOfTheApp = 'compose/make-app.ts';

/**
 * Writes `/` and `/legal` out as HTML by the app's own routes, and puts the empty frame into `index.html`, which stands for
 * every other page. Runs before the service worker is made, which keeps all three.
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
            const links = module === undefined ? '' : preloads(manifest, module, { withStyles: true });
            const content = await prerender(path);
            await writeFile(join(outDir, file), fill(empty, { head: pageHead({ ...fixedPages[path], path }), links, attributes: ` data-path="${path}"`, content }));
          }
          const links = preloads(manifest, restOfTheApp, { withStyles: false });
          await writeFile(join(outDir, 'index.html'), fill(empty, { head: '<title>Dwang</title>', links, attributes: '', content: prerenderFrame() }));
        });
      },
    },
  };
}

/** What `app/prerender.tsx` exports. */
interface Pages {
  prerender(path: string): Promise<string>;
  prerenderFrame(): string;
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
  /** What the page says of itself; the server writes its own in the same place (`sync-server/http/static-files.ts`). */
  head: string;
  links: string;
  attributes: string;
  content: string;
}

function fill(html: string, { head, links, attributes, content }: Filling): string {
  const slot = /<!--page-head-->[^]*<!--\/page-head-->/;
  const root = '<div id="root"></div>';
  if (!slot.test(html) || !html.includes(root)) throw new Error('index.html has no place for the head or the root');
  return html.replace(slot, () => `<!--page-head-->${head}<!--/page-head-->${links}`).replace(root, () => `<div id="root"${attributes}>${content}</div>`);
}

/** Links that fetch a module and all it needs at once, rather than one after the other. */
function preloads(manifest: Manifest, module: string, { withStyles }: { withStyles: boolean }): string {
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
  visit(module);
  const scripts = [...files].map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
  return [...(withStyles ? [...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`) : []), ...scripts].join('');
}
