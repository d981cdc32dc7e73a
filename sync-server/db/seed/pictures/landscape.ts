import type { SeededRandom } from '../../../../shared/testing/random-source.ts';
import type { Canvas, Colour, Point } from './canvas.ts';

export interface Light {
  sky: readonly [Colour, Colour];
  far: Colour;
  near: Colour;
  grass: readonly [Colour, Colour];
}

/** Nor'wester noon, frosty morning, late gold, grey with rain about, long dry summer. */
const lights: readonly Light[] = [
  { sky: ['#6fb4e0', '#dcf0f7'], far: '#8fb3c4', near: '#6d9a7c', grass: ['#8fbf62', '#5f9a45'] },
  { sky: ['#9cc7e6', '#fdeee0'], far: '#a9bccb', near: '#86a58a', grass: ['#a8c79a', '#7ba56b'] },
  { sky: ['#e8a86a', '#fbe6c0'], far: '#b58f86', near: '#8a8a5c', grass: ['#b5b45e', '#82904a'] },
  { sky: ['#a6b4bf', '#e3e8ea'], far: '#94a3ab', near: '#718d7c', grass: ['#7fa869', '#587f4d'] },
  { sky: ['#5aa7dc', '#eaf4ee'], far: '#b0aa8c', near: '#c0ae74', grass: ['#d0bd76', '#a89a55'] },
];

/** The line of a range of hills, always the same for the same random source. */
function ridge(random: SeededRandom, width: number, base: number, height: number): Point[] {
  const waves = Array.from({ length: 3 }, () => ({
    length: 60 + random.below(170),
    shift: random.next() * 7,
    share: 0.3 + random.next() * 0.5,
  }));
  const points: Point[] = [];
  for (let x = -10; x <= width + 10; x += 10) {
    const rise = waves.reduce((sum, wave) => sum + Math.sin(x / wave.length + wave.shift) * wave.share, 1.2);
    points.push([x, base - (rise / 2.4) * height]);
  }
  return points;
}

/** Sky, cloud, two ranges of hills and grass from `horizon` down. */
export function drawLandscape(canvas: Canvas, random: SeededRandom, horizon = 210): Light {
  const { width, height } = canvas;
  const light = random.pick(lights);
  canvas.rect(0, 0, width, horizon + 30, light.sky);
  const cloudX = 60 + random.below(width - 120);
  const cloudY = 40 + random.below(40);
  for (const [dx, dy, rx, ry] of [
    [-34, 5, 26, 11],
    [0, -4, 34, 17],
    [36, 4, 30, 12],
  ] as const) {
    canvas.ellipse(cloudX + dx, cloudY + dy, rx, ry, '#ffffffb0');
  }
  canvas.polygon(
    [[-10, horizon + 20], ...ridge(random, width, horizon - 18, 70), [width + 10, horizon + 20]],
    [light.far, '#dfe7e4'],
  );
  canvas.polygon(
    [[-10, horizon + 30], ...ridge(random, width, horizon + 2, 34), [width + 10, horizon + 30]],
    light.near,
  );
  canvas.rect(0, horizon, width, height - horizon, light.grass);
  return light;
}

const walls = ['#f3ead7', '#dfe6e3', '#e9d9b8', '#c9d5dc', '#f5f1ea', '#b9c7b2'] as const;
const roofs = ['#8f3b32', '#3e4c52', '#5a6b4d', '#a4502f', '#4d4f57', '#2f5a68'] as const;

export interface House {
  left: number;
  right: number;
  eaves: number;
  ridge: number;
  foot: number;
  wall: Colour;
  roof: Colour;
}

/** A weatherboard house under corrugated iron, which is what most of them are. */
export function drawHouse(
  canvas: Canvas,
  random: SeededRandom,
  left: number,
  foot: number,
  width: number,
  height: number,
): House {
  const wall = random.pick(walls);
  const roof = random.pick(roofs);
  const eaves = foot - height * 0.58;
  const top = foot - height;
  canvas.ellipse(left + width / 2, foot, width * 0.56, 9, '#00000022');
  canvas.rect(left, eaves, width, foot - eaves, [wall, '#d8cfbd']);
  for (let y = eaves + 9; y < foot; y += 9) canvas.rect(left, y, width, 1.2, '#0000001c');
  canvas.polygon(
    [
      [left - 14, eaves + 4],
      [left + width * 0.14, top],
      [left + width * 0.86, top],
      [left + width + 14, eaves + 4],
    ],
    [roof, `${roof}e8`],
  );
  for (let at = 1; at < 18; at += 1) {
    const share = at / 18;
    canvas.line(
      [left + width * (0.14 + 0.72 * share), top],
      [left - 14 + (width + 28) * share, eaves + 4],
      1,
      '#ffffff26',
    );
  }
  canvas.rect(left - 14, eaves + 3, width + 28, 5, '#ffffffd0');
  return { left, right: left + width, eaves, ridge: top, foot, wall, roof };
}

/** A sash or slider with a bit of sky in it. */
export function drawWindow(
  canvas: Canvas,
  x: number,
  y: number,
  width: number,
  height: number,
  frame: Colour = '#ffffff',
): void {
  canvas.rect(x - 4, y - 4, width + 8, height + 8, frame);
  canvas.rect(x, y, width, height, ['#7fa3b5', '#c4dbe3']);
  canvas.polygon(
    [
      [x + width * 0.15, y + height],
      [x + width * 0.5, y],
      [x + width * 0.68, y],
      [x + width * 0.33, y + height],
    ],
    '#ffffff40',
  );
  canvas.rect(x + width / 2 - 1.5, y, 3, height, frame);
}

/** A round-headed tree: kōwhai, lemon or plum, by its colour. */
export function drawTree(canvas: Canvas, x: number, foot: number, size: number, leaf: Colour = '#4f7d45'): void {
  canvas.ellipse(x, foot, size * 0.4, size * 0.07, '#00000022');
  canvas.polygon(
    [
      [x - size * 0.05, foot],
      [x - size * 0.025, foot - size * 0.6],
      [x + size * 0.025, foot - size * 0.6],
      [x + size * 0.06, foot],
    ],
    '#6b5140',
  );
  canvas.ellipse(x - size * 0.2, foot - size * 0.55, size * 0.24, size * 0.2, leaf);
  canvas.ellipse(x + size * 0.2, foot - size * 0.58, size * 0.25, size * 0.22, leaf);
  canvas.ellipse(x, foot - size * 0.76, size * 0.28, size * 0.25, leaf);
  canvas.ellipse(x - size * 0.08, foot - size * 0.82, size * 0.15, size * 0.11, '#ffffff22');
}

/** A flax or toetoe tuft. */
export function drawFlax(canvas: Canvas, x: number, foot: number, size: number, leaf: Colour = '#56794a'): void {
  for (let blade = -4; blade <= 4; blade += 1) {
    const lean = blade * size * 0.17;
    canvas.polygon(
      [
        [x + blade * 2 - 3, foot],
        [x + lean, foot - size * (1 - Math.abs(blade) * 0.09)],
        [x + blade * 2 + 3, foot],
      ],
      blade % 2 === 0 ? leaf : '#6d915a',
    );
  }
}
