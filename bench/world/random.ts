import { randomBytes } from 'node:crypto';
import type { RandomSource } from '../../shared/lib/id.ts';

/** Ids that no other run has made. */
export const trueRandom: RandomSource = { bytes: (count) => randomBytes(count) };
