import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageSize } from 'image-size';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';
import { manifest } from './vite-installable.ts';

/* The pictures by which the app stands on a home screen, and is shown while it starts. */

const picture = (path: string) => readFileSync(join(root, 'public', path));
const page = readFileSync(join(root, 'app/index.html'), 'utf8');
const linked = (rel: string) =>
  [...page.matchAll(new RegExp(`<link rel="${rel}" href="([^"]+)"`, 'g'))].map(([, path = '']) => path);
/** Of each pixel, in a PNG: 2 is red, green and blue, without transparency. */
const colourType = (png: Buffer) => png[25];

const named = [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }) => icons)];

test.each(named)('$src is there, a PNG of the size that the manifest names', ({ src, sizes, type }) => {
  const { width, height, type: kind } = imageSize(picture(src));
  expect(`${width}x${height}`).toBe(sizes);
  expect(`image/${kind}`).toBe(type);
});

test('the manifest has what a browser asks for before it offers to install, and draws a start from', () => {
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  );
  const { name, short_name: short, display, start_url: start, background_color: ground } = manifest;
  expect([name, short, display, start]).toEqual(['Dwang', 'Dwang', 'standalone', '/dashboard']);
  // The ground of the page that comes next, so that nothing flashes.
  expect(readFileSync(join(root, 'app/ui/theme.css'), 'utf8')).toContain(`--ground: light-dark(${ground},`);
});

test('an iPhone’s home screen has a picture of its own size, without transparency, which it would draw black', () => {
  const [path = '', ...more] = linked('apple-touch-icon');
  expect(more).toEqual([]);
  const png = picture(path);
  expect(imageSize(png)).toMatchObject({ width: 180, height: 180, type: 'png' });
  expect(colourType(png)).toBe(2);
});

test('an iPhone starts the app with its own picture of how the app was left: no other one is named', () => {
  expect(linked('apple-touch-icon')).toHaveLength(1);
  expect(page).not.toContain('apple-touch-startup-image');
});

test('the page’s own pictures are there', () => {
  const paths = linked('icon');
  expect(paths).toContain('/icon-192.png');
  for (const path of paths) expect(picture(path).length).toBeGreaterThan(0);
});
