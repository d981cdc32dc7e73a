import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Device, Tab } from '../device/device.ts';
import type { World } from './world.ts';

export interface StepContext {
  world: World;
  device: Device;
  /** This step's own random numbers. */
  chance: SeededRandom;
  /** A running tab of the person who is signed in here; undefined where there is none. */
  tab: Tab | undefined;
}

/** A possible step: its weight, and what it does. Returns what happened, in words; undefined where it did not apply. */
export interface Step {
  weight: number;
  /** The devices it runs on, where not on all: by their place in the world's list. */
  devices?: readonly number[];
  act(context: StepContext): string | undefined | Promise<string | undefined>;
}

export const quoted = (jobId: string): string => `job …${jobId.slice(-4)}`;

export const steps = <Names extends string>(given: Record<Names, Step>): Record<Names, Step> => given;

/** Devices of the world, by owner. */
export const on = {
  /** A person with two devices conflicts with themself. */
  doubles: [0, 1, 3, 5],
  tradies: [3, 4, 5],
  /** Several people sign in here. */
  shared: [0],
} as const;
