/**
 * Proof that it is the person who changes the password, where their sign-in is not recent: the current one, or a mailed
 * code.
 */
export type PasswordProof = { readonly currentPassword: string } | { readonly code: string };

/** The sign-in is too long ago for a new password without proof. */
export class ProofNeeded extends Error {
  override name = 'ProofNeeded';
}
