/**
 * Where the landing page's document holds what the server knows of the day (`sync-server/pages/landing-proof.ts`).
 * Empty, it is not seen.
 */
export const proofAttribute = 'data-proof';
