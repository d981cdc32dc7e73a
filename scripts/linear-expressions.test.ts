import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Expressions that only ever meet text of our own, with what that is. */
const ownText: Readonly<Record<string, string>> = {
  '/\\/+$/': 'PUBLIC_URL',
};

interface Expression {
  file: string;
  literal: string;
  expression: RegExp;
}

function expressionsIn(file: string): Expression[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({
        file,
        literal: node.text,
        expression: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function sourceFiles(): string[] {
  const tests = /\.(test|d)\.ts$|\/(testing|stress|migrations|node_modules)\//;
  return ['sync-server', 'shared']
    .flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
    )
    .filter((name) => /\.tsx?$/.test(name) && !tests.test(name));
}

const characters = ['a', '0', ' ', '-', '.', '/', '+', '@', ':', '"'];

/** What a sender would repeat: any one or two characters, and the expression's own words with one after them. */
function pumpsFor({ literal }: Expression): string[] {
  // Without an unbounded repetition there is nothing to grow.
  if (!/[*+]|\{\d*,\}/.test(literal)) return [];
  const words = literal.replaceAll(/\\./g, ' ').match(/[A-Za-z0-9_]{2,12}/g) ?? [];
  return [
    ...characters,
    ...characters.flatMap((one) => characters.map((other) => one + other)),
    ...words.flatMap((word) => ['', ...characters].map((more) => word + more)),
  ];
}

function take(text: string, expression: RegExp): number {
  expression.lastIndex = 0;
  const began = performance.now();
  text.replace(expression, '');
  return performance.now() - began;
}

const least = (times: number, measure: () => number) => Math.min(...Array.from({ length: times }, measure));

const short = 1_000;

/**
 * Does four times the text take far more than four times the time? Both are measured in one run, and what looks so is
 * measured again: a pause of the machine is no error of the expression.
 */
function growsTooFast(expression: RegExp, pump: string): boolean {
  const textOf = (length: number) => `${pump.repeat(length / pump.length)}\0`;
  const [small, large] = [textOf(short), textOf(4 * short)];
  const isSuspicious = (times: number) => {
    const cost = least(times, () => take(large, expression));
    return cost > 0.15 && cost > 8 * least(9, () => take(small, expression));
  };
  return isSuspicious(1) && isSuspicious(5) && isSuspicious(20);
}

it('sees an expression whose time grows with the square of the text', () => {
  const squares = [
    /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
    /[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+/g,
    /(\b[a-z][a-z0-9+]*:\/\/)[^\s"/@\\]+@/gi,
    /\s+$/,
  ];
  for (const expression of squares) {
    const pumps = pumpsFor({ file: '', literal: expression.source, expression });
    // A pause of the machine can hide the growth once; it does not do so every time.
    const isSeen = Array.from({ length: 10 }).some(() => pumps.some((pump) => growsTooFast(expression, pump)));
    expect(isSeen, expression.source).toBe(true);
  }
});

it('no regular expression of the server or of what it shares takes more than its text is long', () => {
  const all = sourceFiles().flatMap(expressionsIn);
  expect(all.length).toBeGreaterThan(100);
  const slow = all
    .filter((one) => ownText[one.literal] === undefined)
    .flatMap((one) => {
      const pump = pumpsFor(one).find((candidate) => growsTooFast(one.expression, candidate));
      return pump === undefined ? [] : [`${one.file} ${one.literal} by ${JSON.stringify(pump)}`];
    });
  expect(slow).toEqual([]);
});
