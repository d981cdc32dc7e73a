import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/*
 * `expect(link.getAttribute('href')).toBe('/jobs')` fails with two strings; `expect(link).toHaveAttribute('href',
 * '/jobs')` fails with the element it is about. What jest-dom has a matcher for is asked of the element.
 */

/** What to ask instead of this argument of `expect`, where there is something. */
function matcherFor(asked: ts.Expression, matcher: string): string | undefined {
  if (ts.isParenthesizedExpression(asked) || ts.isAsExpression(asked) || ts.isNonNullExpression(asked))
    return matcherFor(asked.expression, matcher);
  if (ts.isCallExpression(asked))
    return ts.isPropertyAccessExpression(asked.expression) &&
      /^[gh]etAttribute$|^hasAttribute$/.test(asked.expression.name.text)
      ? 'toHaveAttribute'
      : undefined;
  if (!ts.isPropertyAccessExpression(asked)) return undefined;
  const { text } = asked.name;
  if (text === 'disabled') return 'toBeDisabled or toBeEnabled';
  if (text === 'checked') return 'toBeChecked';
  return text === 'activeElement' && matcher === 'toBe' ? 'toHaveFocus' : undefined;
}

/** Lines at which a test reads of an element what a matcher would have asked it, with the matcher. */
function readByHand(source: string): string[] {
  const file = ts.createSourceFile('page.tsx', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: before, name } = node.expression;
      const expecting =
        ts.isPropertyAccessExpression(before) && before.name.text === 'not' ? before.expression : before;
      const asked =
        ts.isCallExpression(expecting) && expecting.expression.getText() === 'expect'
          ? expecting.arguments[0]
          : undefined;
      const matcher = asked && matcherFor(asked, name.text);
      if (matcher !== undefined)
        found.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${matcher}`);
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

test.each([
  ["expect(link.getAttribute('href')).toBe('/jobs')", 'toHaveAttribute'],
  ["expect((await screen.findByRole('link'))\n  ?.getAttribute('href')).not.toBeNull()", 'toHaveAttribute'],
  ["expect(input.hasAttribute('capture')).toBe(false)", 'toHaveAttribute'],
  ['await waitFor(() => expect((post() as HTMLButtonElement).disabled).toBe(true))', 'toBeDisabled or toBeEnabled'],
  ['expect(box!.checked).toEqual(true)', 'toBeChecked'],
  ['expect(document.activeElement).not.toBe(document.body)', 'toHaveFocus'],
])('finds %s', (source, matcher) => {
  expect(readByHand(`\n${source};`)).toEqual([`2: ${matcher}`]);
});

test.each([
  "expect(link).toHaveAttribute('href', '/jobs')",
  "expect(links.map((link) => link.getAttribute('href'))).toEqual(['/jobs'])",
  "expect(document.activeElement).toHaveTextContent('Saved')",
  "expect((await db.meta.get('filters'))?.value).toBe(1)",
])('lets pass %s', (source) => {
  expect(readByHand(source)).toEqual([]);
});

test('the app’s tests ask elements by the matchers of jest-dom', async () => {
  const found: string[] = [];
  let read = 0;
  for await (const path of glob(['app/**/*.test.{ts,tsx}', 'app/testing/**/*.{ts,tsx}'], { cwd: root })) {
    read += 1;
    found.push(...readByHand(readFileSync(`${root}/${path}`, 'utf8')).map((what) => `${path}:${what}`));
  }
  expect(read).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
