/** Paths that are never the app's: calls, the embedded counterparts of hosted services, machinery. */
const machinery = /^\/(api|auth|storage|health|metrics|dev)(\/|$)/;

/** Is this address answered with the app's shell? A file (it has a dot) is what it is. */
export function isAppPage({ pathname }: URL): boolean {
  return !machinery.test(pathname) && !pathname.slice(pathname.lastIndexOf('/')).includes('.');
}
