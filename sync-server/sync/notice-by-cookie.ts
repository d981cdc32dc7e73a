import { isProof, reachedBy, type Cookie } from './cookie.ts';
import type { EngineParts } from './sync-parts.ts';

/**
 * A cookie that this database, or a later timeline of it, has signed is a proof of how far it had come (S14). One of
 * this timeline that is ahead of it: the database was put back, and begins a new timeline before anything is decided;
 * what it still has of the old one is not known, so that devices send all they keep again. One that is ahead and of
 * another timeline: a later timeline has begun elsewhere, unless that timeline came before this one. Such a cookie is
 * ahead only where it began by a clock that was fast, and is reset as any other.
 *
 * @throws TimelineEnded where a later timeline has begun; DatabaseRestored where the database has another timeline
 * since it was read.
 */
export async function noticeByCookie(
  { store, log, seen }: EngineParts,
  userId: string,
  cookie: Cookie | undefined,
): Promise<void> {
  if (cookie?.k === undefined) return;
  const known = seen?.();
  const reached = { timeline: cookie.l, head: reachedBy(cookie) };
  if (known !== undefined && reached.timeline === known.timeline && BigInt(reached.head) <= BigInt(known.head)) return;
  const read = await store.single.readPosition(userId);
  if (read === undefined || read.position.isMoved || !isProof(cookie, read.position.cookieKey)) return;
  const { timeline, head } = read.position;
  if (BigInt(reached.head) <= BigInt(head)) return;
  if (cookie.l === timeline) await store.noticeRestore(log, { ...reached, known: '0' });
  else if (!(await store.single.readTimelines()).some(({ previous }) => previous === cookie.l))
    await store.noticeLater(log, reached, timeline);
}
