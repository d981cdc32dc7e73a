import { chanceOf } from './chance.ts';

/** A town as the world's lists have it. */
export interface Town {
  readonly id: string;
  /** Null: the lists do not say where it is. */
  readonly region: string | null;
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface Geography {
  readonly towns: readonly Town[];
  /** A feed with more jobs is held by devices in part; undefined: as in the product, which no seed reaches. */
  readonly heldWholeUpTo: number | undefined;
}

export const locations = ['southland/winton', 'northland/kaitaia'] as const;

const oneRegion: readonly Town[] = locations.map((id) => ({ id, region: 'R' }));

/** Forty kilometres from Gore reach across a border. */
const severalRegions: readonly Town[] = [
  { id: 'southland/winton', region: 'Southland', latitude: -46.14, longitude: 168.32 },
  { id: 'southland/gore', region: 'Southland', latitude: -46.1, longitude: 168.94 },
  { id: 'otago/tapanui', region: 'Otago', latitude: -45.94, longitude: 169.26 },
  { id: 'northland/kaitaia', region: 'Northland' },
  { id: 'at-sea/somewhere', region: null },
];

export const regions = ['Southland', 'Otago', 'Northland'] as const;

/** In one seed of three devices hold the feed in part, from a few jobs on. The other seeds know nothing of it. */
export function geographyOf(seed: number): Geography {
  const chance = chanceOf(seed, 'geography');
  if (chance.below(3) > 0) return { towns: oneRegion, heldWholeUpTo: undefined };
  return { towns: severalRegions, heldWholeUpTo: chance.below(5) };
}

export const isHeldInPart = ({ heldWholeUpTo }: Geography): boolean => heldWholeUpTo !== undefined;
