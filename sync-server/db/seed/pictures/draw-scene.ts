import { seededRandom } from '../../../../shared/testing/random-source.ts';
import { createCanvas } from './canvas.ts';
import { indoorScenes } from './indoor-scenes.ts';
import { outdoorScenes } from './outdoor-scenes.ts';
import { encodePng } from './png.ts';

const scenes = { ...outdoorScenes, ...indoorScenes };
export type SceneName = keyof typeof scenes;
export const sceneNames = Object.keys(scenes) as SceneName[];

/** A small drawn picture (PNG, 480 by 360, under 30 KB): the same name and seed always give the same bytes. */
export function drawScene(name: SceneName, seed: number): Buffer {
  const canvas = createCanvas(480, 360);
  scenes[name](canvas, seededRandom(seed));
  return encodePng(canvas.width, canvas.height, canvas.pixels());
}
