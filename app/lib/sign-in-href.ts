/** Where a `SignInLink` leads: to the sign-in dialog over the same page. `public/here.js` knows it too. */
export const signInHref = '?sign-in';

/** Does an address with this query lead to the sign-in dialog? */
export function isSignInHref(search: string): boolean {
  return new URLSearchParams(search).has('sign-in');
}
