import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './installed.mjs';

/** The lines of the `sh` blocks under a heading of a page, without their comments, in order. */
export function commandsUnder(page: string, heading: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no heading “${heading}”`);
  const lines = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n'));
  return lines.map((line) => line.replace(/(^|\s+)#.*$/, '').trim()).filter((line) => line !== '');
}

/** Every `npm run …` that a page names in its text or its blocks. */
export function npmCommandsIn(page: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/(?<=`|^)npm run [^`\n]+/gm)].map(([command]) => command.replace(/\s+#.*$/, '').trim());
}
