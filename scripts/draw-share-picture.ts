/**
 * Draws `public/share.png` (1200 x 630), what a shared link shows beside its words: `node
 * scripts/draw-share-picture.ts`. A real browser sets it, with the product's own mark and tokens; run it again when
 * either changes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { launchOptions } from './find-chromium.ts';
import { root } from './installed.mjs';

const mark = readFileSync(join(root, 'public/favicon.svg'), 'utf8');
const theme = readFileSync(join(root, 'app/ui/theme.css'), 'utf8');
const studs = [0, 1, 2, 3, 4, 5, 6, 7]
  .map(
    (at) =>
      `<i style="left:${at * 160 + 20}px"></i><b style="left:${at * 160 + 48}px;top:${at % 2 === 0 ? 34 : 62}px"></b>`,
  )
  .join('');

const page = `<style>${theme}
  :root { color-scheme: light; }
  body { margin: 0; width: 1200px; height: 630px; overflow: hidden; position: relative; background: var(--bar); color: var(--on-bar); font-family: var(--display); }
  svg { position: absolute; left: 80px; top: 84px; width: 108px; height: 108px; }
  h1 { position: absolute; left: 220px; top: 76px; margin: 0; font-size: 112px; line-height: 1.1; color: var(--on-bar); }
  p { position: absolute; left: 80px; top: 246px; margin: 0; width: 1040px; font-size: 64px; line-height: 1.15; font-weight: 700; }
  div { position: absolute; left: 0; right: 0; bottom: 0; height: 150px; border-top: 20px solid var(--on-bar-soft); }
  i { position: absolute; top: 0; width: 28px; height: 150px; background: var(--on-bar-soft); }
  b { position: absolute; width: 132px; height: 28px; background: var(--accent); }
</style>${mark}<h1>Dwang</h1><p>Connecting homeowners and tradies across New Zealand</p><div>${studs}</div>`;

const browser = await chromium.launch(launchOptions());
try {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await tab.setContent(page);
  await tab.screenshot({ path: join(root, 'public/share.png') });
} finally {
  await browser.close();
}
