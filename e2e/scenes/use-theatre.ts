import { afterAll, beforeAll } from 'vitest';
import { examineScene } from './examine-scene.ts';
import { openTheatre, type Theatre } from './play.ts';
import type { Act } from './scene.ts';

export interface ExaminedTheatre {
  /** Plays an act and gives what was found wrong with its scenes, a line each. */
  examine(act: Act): Promise<string[]>;
  play: Theatre['play'];
}

/** A theatre for the tests of one file, opened before them and closed after. */
export function useTheatre(): ExaminedTheatre {
  let opened: Theatre | undefined;
  beforeAll(async () => {
    opened = await openTheatre();
  });
  afterAll(async () => opened?.close());

  const play: Theatre['play'] = (act, look) => {
    if (opened === undefined) throw new Error('The theatre is not open.');
    return opened.play(act, look);
  };
  return {
    play,
    examine: async (act) => {
      const found: string[] = [];
      await play(act, async (scene, stage) => {
        found.push(...(await examineScene(scene, stage)));
      });
      return found;
    },
  };
}
