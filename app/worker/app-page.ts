import { isMachinery } from '../../shared/routes.ts';

/** Is this address answered with the app's shell? A file (it has a dot) is served as it is. */
export function isAppPage({ pathname }: URL): boolean {
  return !isMachinery(pathname) && !pathname.slice(pathname.lastIndexOf('/')).includes('.');
}
