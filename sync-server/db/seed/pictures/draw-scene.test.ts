import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createCanvas } from './canvas.ts';
import { drawScene, sceneNames } from './draw-scene.ts';
import { encodePng } from './png.ts';

it('draws every scene small enough for a card on a slow connection', () => {
  for (const name of sceneNames) expect(drawScene(name, 11).length, name).toBeLessThan(30_000);
});

it('draws the same picture for the same seed, another for another', () => {
  expect(drawScene('fence', 5).equals(drawScene('fence', 5))).toBe(true);
  expect(drawScene('fence', 5).equals(drawScene('fence', 6))).toBe(false);
});

it('fills shapes where they are and nowhere else', () => {
  const canvas = createCanvas(4, 2);
  canvas.rect(0, 0, 4, 2, '#102030');
  canvas.rect(2, 0, 1, 2, '#ffffff');
  canvas.rect(3, 0, 1, 1, '#ff000080');
  const pixels = [...canvas.pixels()];
  expect(pixels.slice(0, 9)).toEqual([16, 32, 48, 16, 32, 48, 255, 255, 255]);
  expect(pixels.slice(9, 12)).toEqual([135, 15, 23]);
});

it('writes PNG that says what it is and holds every pixel', () => {
  const pixels = Uint8Array.from({ length: 3 * 2 * 3 }, (_, at) => at * 11);
  const png = encodePng(3, 2, pixels);
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([3, 2]);
  const data = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  expect(data.length).toBe(2 * (1 + 9));
  const unfiltered: number[] = [];
  for (let y = 0; y < 2; y += 1) {
    const filter = data[y * 10];
    for (let x = 0; x < 9; x += 1) {
      const left = x < 3 ? 0 : unfiltered[y * 9 + x - 3]!;
      const above = y === 0 ? 0 : unfiltered[(y - 1) * 9 + x]!;
      unfiltered.push((data[y * 10 + 1 + x]! + (filter === 1 ? left : filter === 2 ? above : 0)) & 255);
    }
  }
  expect(unfiltered).toEqual([...pixels]);
});
