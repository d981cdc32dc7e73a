import { isMachinery, pageAt } from '../../shared/routes.ts';

/** The one page of the app below /dev: every part in every state, for developers. */
const devPage = /^\/dev\/ui\/?$/;

/** Any other address gets the app too, which shows 'not found', with 404. */
export function isAppPage(path: string, withDevPage: boolean): boolean {
  return pageAt(path) !== undefined || (withDevPage && devPage.test(path));
}

/**
 * Would a case-insensitive router match this as a call, while the limits and checks before it, which are
 * case-sensitive, do not?
 */
export function isMisspelt(path: string): boolean {
  return !isMachinery(path) && isMachinery(path.toLowerCase());
}

/** Does this send a photo or logo to the embedded storage? */
export function isUpload({ method, path }: { method: string; path: string }): boolean {
  return (method === 'POST' || method === 'PUT') && /^\/storage\/v1\/object\/(?!list\/)/.test(path);
}
