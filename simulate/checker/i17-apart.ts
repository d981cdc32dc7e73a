import { privateTableNames } from '../../shared/tables/index.ts';
import type { Device, Client } from '../device/device.ts';
import { bearerOf } from '../server/auth-server.ts';
import type { Decision } from './decisions.ts';
import type { ClientGroup } from './client-group.ts';
import type { DiskSnapshot } from './disk-snapshot.ts';
import { must, Violation } from './violation.ts';

/** Who made a mutation, by its uid, or a photo, by its path: recorded when it was made, on its device. */
export type MakerOf = (uidOrPath: string) => string | undefined;

/**
 * I17, on the wire: what a person's database sends goes under that person's token, and holds no other person's work.
 */
export function i17Sent(tab: Client, url: string, init: RequestInit, makerOf: MakerOf): Violation | undefined {
  const bearer = bearerOf(new Headers(init.headers).get('Authorization')?.replace('Bearer ', ''));
  const where = `${tab.proc.name} of …${tab.userId.slice(-4)}`;
  if (bearer !== undefined && bearer !== tab.userId)
    return new Violation('I17', where, `asks ${url} under the token of …${bearer.slice(-4)}`);
  if (typeof init.body !== 'string') return undefined;
  const { mutations = [] } = JSON.parse(init.body) as { mutations?: { uid: string }[] };
  const foreign = mutations.find(({ uid }) => ![undefined, bearer].includes(makerOf(uid)));
  return foreign === undefined
    ? undefined
    : new Violation('I17', where, `sends ${foreign.uid}, which …${makerOf(foreign.uid)?.slice(-4) ?? ''} made`);
}

/** I17, on the server: what a person made is decided with that person's rights. */
export function i17Decided({ uid, userId, name }: Decision, makerOf: MakerOf): Violation | undefined {
  const maker = makerOf(uid);
  return maker === undefined || maker === userId
    ? undefined
    : new Violation('I17', 'the server', `${name} ${uid} of …${maker.slice(-4)} was decided for …${userId.slice(-4)}`);
}

/** I17, in storage: a photo is uploaded by the person who took it. */
export function i17Put(path: string, by: string, makerOf: MakerOf): Violation | undefined {
  const maker = makerOf(path);
  return maker === undefined || maker === by
    ? undefined
    : new Violation('I17', 'storage', `photo ${path} of …${maker.slice(-4)} was put there by …${by.slice(-4)}`);
}

/** Who owned a job and who answered it, at any time, on the server: independent of the product's own visibility. */
export interface Owners {
  /** All people who ever posted it; undefined where there is none. */
  ownersOf(jobId: string): ReadonlySet<string> | undefined;
  hasAnswered(userId: string, jobId: string): boolean;
}

/** Posted here under this id, or answered here, whatever its outcome will be. */
function hasMade({ made }: ClientGroup, jobId: string): boolean {
  return [...made.values()].some(({ name, args }) => {
    const { id, jobId: of } = args as { id?: string; jobId?: string };
    return (name === 'job.post' && id === jobId) || (name === 'interest.express' && of === jobId);
  });
}

/**
 * I17, on a disk: a person's database holds their own account and work, what they have answered, and who has answered
 * them.
 */
export function i17Stored(
  group: ClientGroup,
  now: DiskSnapshot,
  makerOf: MakerOf,
  { ownersOf, hasAnswered }: Owners,
): void {
  const me = group.userId;
  const rows = privateTableNames.flatMap((table) => now.privateRows[table].map((row) => ({ table, row })));
  for (const { table, id, row } of now.shadow) if (row !== null) rows.push({ table, row: { id, ...(row as object) } });
  for (const { table, row } of rows) {
    const id = String(row['id']);
    const fail = (what: string) => new Violation('I17', group.key, `${table} ${id} is here: ${what}`);
    if (table === 'users' && id !== me) throw fail('another person’s account');
    if (table === 'jobs') {
      if (row['userId'] !== null && row['userId'] !== me) throw fail('it names another homeowner');
      const isMine = ownersOf(id)?.has(me) !== false || hasAnswered(me, id) || hasMade(group, id);
      if (!isMine) throw fail('a job that is not theirs and that they have not answered');
    }
    if (table === 'interests' && row['userId'] !== me && row['ownerId'] !== me)
      throw fail('an interest between other people');
    if ((table === 'marks' || table === 'searches' || table === 'preferences') && row['userId'] !== me)
      throw fail('what another person noted for themself');
  }
  const journal = group.device.disk.read(group.database, 'journal') as readonly { uid: string }[];
  for (const { uid } of [...now.outbox, ...now.refused, ...journal])
    must(
      [undefined, me].includes(makerOf(uid)),
      'I17',
      group.key,
      () => `${uid} waits here, and …${makerOf(uid)?.slice(-4) ?? ''} made it`,
    );
  for (const { path } of now.photos)
    must(
      [undefined, me].includes(makerOf(path)),
      'I17',
      group.key,
      () => `photo ${path} is here, and …${makerOf(path)?.slice(-4) ?? ''} took it`,
    );
}

/**
 * I17, on the locked screen: an alert says something of a job only where the person it is for is, or just was, signed
 * in.
 */
export function i17Shown(
  device: Device,
  {
    shown,
    title,
    userId,
    here,
  }: {
    shown: { title: string; body: string };
    title: string;
    userId: string;
    here: readonly (string | undefined)[];
  },
): Violation | undefined {
  return shown.title !== title || here.includes(userId)
    ? undefined
    : new Violation('I17', device.name, `shows an alert for …${userId.slice(-4)}, who is not signed in there`);
}

/** I17, of the device itself: it belongs to the person who last signed in there themself. */
export function i17DeviceOwner(device: Device, isAt: string, mayBeAt: ReadonlySet<string>): void {
  must(mayBeAt.has(isAt), 'I17', device.name, () => `belongs to …${isAt.slice(-4)}, who did not sign in there`);
}
