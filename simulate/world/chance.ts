import { seededRandom, type SeededRandom } from '../../shared/testing/random-source.ts';

/** FNV-1a, so that each place in the simulator has a stream of chance of its own: taking one step out of a story leaves the others' luck as it was. */
export function chanceOf(...of: readonly (string | number)[]): SeededRandom {
  let hash = 0x811c9dc5;
  for (const character of of.join('/')) {
    hash ^= character.codePointAt(0)!;
    hash = Math.imul(hash, 0x01000193);
  }
  return seededRandom(hash >>> 0);
}
