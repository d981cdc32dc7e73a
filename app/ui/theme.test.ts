import { expect, test } from 'vitest';
import css from './theme.css?raw';

const themes = ['light', 'dark'] as const;
const pairs = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
);

function colour(name: string, theme: 'light' | 'dark'): string {
  const hex = pairs.get(name)?.[theme];
  if (hex === undefined) throw new Error(`theme.css has no colour --${name}`);
  return hex;
}

/** WCAG 2.2 relative luminance of `#rrggbb`. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** [text or edge, what it stands on, least ratio]. 7 is for what is read in the sun, 4.5 for the rest, 3 for edges. */
const contrasts: [string, string, number][] = [
  ...['ground', 'surface', 'raised', 'sunk'].flatMap((on): [string, string, number][] => [
    ['ink', on, 12],
    ['ink-soft', on, 7],
    ['ink-faint', on, 4.5],
    ['line-strong', on, 3],
    ['focus', on, 3],
  ]),
  ...['ground', 'surface'].flatMap((on): [string, string, number][] => [
    ['good', on, 7],
    ['bad', on, 7],
    ['warn', on, 7],
  ]),
  ['on-accent', 'accent', 7],
  ['on-accent', 'accent-hover', 7],
  ['on-accent', 'accent-pressed', 6],
  ['on-bad', 'bad-fill', 7],
  ['on-bad', 'bad-fill-hover', 7],
  ['ink', 'picked', 12],
  ['good', 'good-wash', 6],
  ['bad', 'bad-wash', 6],
  ['warn', 'warn-wash', 6],
  ['ink', 'good-wash', 7],
  ['ink', 'bad-wash', 7],
  ['ink', 'warn-wash', 7],
  ['on-bar', 'bar', 12],
  ['on-bar-soft', 'bar', 7],
  ['accent', 'bar', 7],
];

for (const theme of themes) {
  test.each(contrasts)(`${theme}: %s on %s is at least %d : 1`, (front, back, least) => {
    expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(least);
  });
}

test('the formula agrees with the known ends', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('in the sun everything that is read is nearly black on white, and no line is faint', () => {
  const block = /\[data-theme='sun'\] \{([^}]*)\}/.exec(css)?.[1] ?? '';
  const sun = new Map([...block.matchAll(/--([\w-]+): (#[\da-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]));
  const of = (name: string) => sun.get(name) ?? '#808080';
  for (const front of ['ink', 'ink-soft', 'line', 'line-strong', 'warn', 'focus'])
    expect([front, contrast(of(front), of('ground'))]).toEqual([front, 21]);
  for (const front of ['ink-faint', 'good', 'bad'])
    expect([front, contrast(of(front), of('surface')) >= 10]).toEqual([front, true]);
  for (const wash of ['good-wash', 'bad-wash', 'warn-wash', 'sunk', 'raised'])
    expect([wash, of(wash)]).toEqual([wash, '#ffffff']);
  expect(contrast(of('on-bar-soft'), of('bar'))).toBe(21);
});
