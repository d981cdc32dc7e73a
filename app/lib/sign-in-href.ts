/** What a visitor set out to do, and where it leads once they are signed in; the same word in an address. */
export const intentions = { 'post-job': '/post-job', 'become-tradie': '/become-tradie' } as const;
export type Intention = keyof typeof intentions;

/** The address of a `SignInLink`: the sign-in dialog over the same page. `public/here.js` knows it too. */
export function signInHref(intention?: Intention): string {
  return intention === undefined ? '?sign-in' : `?sign-in=${intention}`;
}

/** Does an address with this query lead to the sign-in dialog? */
export function isSignInHref(search: string): boolean {
  return new URLSearchParams(search).has('sign-in');
}

/** Added to the address that a mailed link leads back to: the link may be opened in another browser. */
export function intentionQuery(intention: Intention | undefined): string {
  return intention === undefined ? '' : `/?for=${intention}`;
}

/** The intention in the query of a `SignInLink` or of a mailed link; undefined where there is none of ours. */
export function readIntention(search: string): Intention | undefined {
  const said = new URLSearchParams(search);
  const word = said.get('sign-in') ?? said.get('for');
  return word === 'post-job' || word === 'become-tradie' ? word : undefined;
}
