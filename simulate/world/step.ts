import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Device, Tab } from '../device/device.ts';
import type { World } from './world.ts';

export interface Scene {
  world: World;
  device: Device;
  /** This step's own luck. */
  chance: SeededRandom;
  /** A tab of the person who is signed in here, whose program runs; undefined where there is none. */
  tab: Tab | undefined;
}

/** Something that may happen: how often, and what. The answer tells what did, in words; undefined where there was nothing to do it to. */
export interface Step {
  weight: number;
  /** On whose devices, where not on everybody's: by their place in the world's list. */
  devices?: readonly number[];
  act(scene: Scene): string | undefined | Promise<string | undefined>;
}

export const steps = <Names extends string>(given: Record<Names, Step>): Record<Names, Step> => given;

/** Devices of the world, by whose they are. */
export const on = {
  /** A person with two devices meets themself. */
  doubles: [0, 1, 3, 5],
  tradies: [3, 4, 5],
  /** Several people sign in here. */
  shared: [0],
} as const;
