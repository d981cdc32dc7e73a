/**
 * Where a mailed link may lead: to the product's own origin, and nowhere else. The address comes from the request, and
 * the link carries it where its holder can edit it, so it is checked both when requested and when followed.
 */
export function redirectTarget(wanted: string, origin: string): URL {
  const home = new URL(origin);
  const target = URL.canParse(wanted) ? new URL(wanted) : home;
  const allowed = target.origin === home.origin && target.username === '' && target.password === '' ? target : home;
  allowed.hash = '';
  return allowed;
}
