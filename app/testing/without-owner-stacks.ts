import * as React from 'react';

/*
 * React notes the stack of calls for each element that is made, for its warnings: a tenth of what a test of a screen
 * computes. It stops at a certain count, and begins to count anew each second; here it is always beyond. Its warnings
 * still name the component.
 */
const internals = (React as unknown as Record<string, { recentlyCreatedOwnerStacks?: number } | undefined>)[
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
];
if (internals?.recentlyCreatedOwnerStacks === undefined) throw new Error('React counts its owner stacks elsewhere.');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Infinity,
  set: () => {
    // React's next count.
  },
});
