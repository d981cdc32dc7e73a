import { isMachinery, pageAt } from '../../shared/routes.ts';

/** The one page of the app below /dev: every part in every state, for whoever works on it. */
const devPage = /^\/dev\/ui\/?$/;

/** Any other address gets the app too, which shows 'not found', with 404. */
export function isAppPage(path: string, withDevPage: boolean): boolean {
  return pageAt(path) !== undefined || (withDevPage && devPage.test(path));
}

/** Would a router that does not look at letter case take this for machinery, which every door before it takes for something else? */
export function isMisspelt(path: string): boolean {
  return !isMachinery(path) && isMachinery(path.toLowerCase());
}

/** Does this send a photo or logo to the embedded storage? */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return (method === 'POST' || method === 'PUT') && /^\/storage\/v1\/object\/(?!list\/)/.test(path);
}
