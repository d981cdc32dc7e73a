import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/*
 * A page in a plain string escapes nothing and is seen by no tool. HTML is a template of `html` (shared/lib/html.ts),
 * which escapes its values and is laid out by the formatter; style sheets and scripts are files beside the code that
 * serves them.
 */

const markup = /<!doctype|<\/[a-z]|<[a-z]+ [a-z-]+=/i;
const style = /\{\s*(--)?[a-z-]+\s*:[^{};]+;/;

/** Lines at which a string or a template without a tag contains HTML or CSS. */
function plainMarkup(source: string): number[] {
  const file = ts.createSourceFile('page.ts', source, ts.ScriptTarget.Latest, true);
  const found: number[] = [];

  function visit(node: ts.Node): void {
    const isTagged = node.parent !== undefined && ts.isTaggedTemplateExpression(node.parent);
    // A pattern is what is looked for in a page, never what is sent.
    const isPattern =
      node.parent !== undefined && ts.isNewExpression(node.parent) && node.parent.expression.getText() === 'RegExp';
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && !isTagged && !isPattern) {
      const text = ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('x')
        : node.text;
      if (markup.test(text) || style.test(text))
        found.push(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

test('sees a page and a style in a string, and lets templates be', () => {
  expect(plainMarkup("const page = '<p>Hello</p>';")).toEqual([1]);
  expect(plainMarkup('\nconst page = `<a href="${to}">${words}`;')).toEqual([2]);
  expect(plainMarkup('const css = `\nbody { margin: 0; }\n`;')).toEqual([1]);
  expect(plainMarkup('const page = html`<p>${list.map((one) => html`<a href="${one}">${one}</a>`)}</p>`;')).toEqual([]);
  expect(plainMarkup('const slot = new RegExp(`(<div[^>]* ${name}="">)`);')).toEqual([]);
  expect(plainMarkup("const use = 'ops -- person <email>'; const some = `{ error: ${text} }`;")).toEqual([]);
});

/** The server’s, and what is cut into the app’s documents as they are built and as they are kept. */
const served = ['sync-server/**/*.ts', 'shared/**/*.ts', 'app/worker/**/*.ts', 'scripts/vite-*.ts'];
/** Why these two do it in plain strings: docs/decisions/0013. */
const cutsIn = ['app/worker/with-kept-screen.ts', 'scripts/vite-prerender.ts'];

test('no page and no style that the server or the worker sends stands in a plain string', async () => {
  const wrong: string[] = [];
  let templates = 0;
  for await (const path of glob(served, { cwd: root })) {
    if (/\.test\.ts$|\/(testing|stress)\//.test(path)) continue;
    const source = readFileSync(`${root}/${path}`, 'utf8');
    templates += source.match(/\bhtml`/g)?.length ?? 0;
    wrong.push(...plainMarkup(source).map((line) => `${path}:${line}`));
  }
  expect(wrong.filter((place) => !cutsIn.some((path) => place.startsWith(`${path}:`)))).toEqual([]);
  for (const path of cutsIn) expect(wrong.join()).toContain(path);
  expect(templates).toBeGreaterThan(40);
});
