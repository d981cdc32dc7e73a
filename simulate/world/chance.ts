import { seededRandom, type SeededRandom } from '../../shared/testing/random-source.ts';

/**
 * FNV-1a, so that each place in the simulator has its own random stream: removing one step does not change the others'
 * numbers.
 */
export function chanceOf(...of: readonly (string | number)[]): SeededRandom {
  let hash = 0x811c9dc5;
  for (const character of of.join('/')) {
    hash ^= character.codePointAt(0)!;
    hash = Math.imul(hash, 0x01000193);
  }
  return seededRandom(hash >>> 0);
}
