/** The pages of the app (specification section 2). Any other address gets the app too, which shows 'not found', with 404. */
const pages = [
  /^\/$/,
  /^\/(find-tradies|legal|dashboard|post-job|find-jobs|edit-tradie|edit-account|become-tradie|waiting)\/?$/,
  /^\/(job|edit-job|tradie)\/[^/]+\/?$/,
];

/** Paths that are never the app's: calls, embedded counterparts and machinery. */
const machinery = /^\/(api|auth|storage|dev|health|metrics)(\/|$)/;

/** The one page of the app below /dev: every part in every state, for whoever works on it. */
const devPage = /^\/dev\/ui\/?$/;

export function isAppPage(path: string, withDevPage: boolean): boolean {
  return pages.some((page) => page.test(path)) || (withDevPage && devPage.test(path));
}

export function isMachinery(path: string): boolean {
  return machinery.test(path);
}

/** Would a router that does not look at letter case take this for machinery, which every door before it takes for something else? */
export function isMisspelt(path: string): boolean {
  return !isMachinery(path) && isMachinery(path.toLowerCase());
}

/** Does this send a photo or logo to the embedded storage? */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return (method === 'POST' || method === 'PUT') && /^\/storage\/v1\/object\/(?!list\/)/.test(path);
}
