import type * as z from 'zod/mini';
import { interestMutations } from './interest.ts';
import { jobMutations } from './job.ts';
import { markMutations } from './mark.ts';
import { photoMutations } from './photo.ts';
import { preferenceMutations } from './preference.ts';
import { profileMutations } from './profile.ts';
import { searchMutations } from './search.ts';

/** Everything a person may do to synced data. Names are for ever (SPEC S6). */
export const mutations = {
  ...jobMutations,
  ...photoMutations,
  ...interestMutations,
  ...profileMutations,
  ...markMutations,
  ...searchMutations,
  ...preferenceMutations,
};

export type MutationName = keyof typeof mutations;
/** What a caller hands in: before trimming and the like. */
export type ArgsOf<Name extends MutationName> = z.input<(typeof mutations)[Name]['args']>;

export const mutationNames = Object.keys(mutations) as MutationName[];
