import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { day, second } from '../../../shared/lib/durations.ts';

/** Seconds a device is remembered after it last signed in. */
const remembered = (180 * day) / second;

export interface KnownDevices {
  /** The device's id, if it has signed in to this address before. */
  find(ctx: Context, email: string): string | undefined;
  /** After a sign-in: this device is known to the address from now on. */
  remember(ctx: Context, email: string): void;
}

/**
 * Recognises a device that has signed in to an address before, by a signed HttpOnly cookie for `/auth/v1` alone. It
 * grants nothing: it only keeps other clients' failures from locking this device out.
 */
export function createKnownDevices(parts: {
  secret: Buffer;
  clock: () => Date;
  publicUrl: () => string;
}): KnownDevices {
  const { secret, clock, publicUrl } = parts;
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const nameFor = (email: string) => `dwang-known-${mac(`name ${email}`).slice(0, 12)}`;

  function find(ctx: Context, email: string): string | undefined {
    const [id = '', until = '', given = ''] = (ctx.cookies.get(nameFor(email)) ?? '').split('.');
    if (!/^\d{1,15}$/.test(until) || Number(until) * 1000 <= clock().getTime()) return undefined;
    const [right, sent] = [Buffer.from(mac(`${email} ${id} ${until}`)), Buffer.from(given)];
    return sent.length === right.length && timingSafeEqual(sent, right) ? id : undefined;
  }

  return {
    find,
    remember(ctx, email) {
      const id = find(ctx, email) ?? randomUUID();
      const until = String(Math.floor(clock().getTime() / 1000) + remembered);
      const secure = publicUrl().startsWith('https:') ? '; Secure' : '';
      const value = `${id}.${until}.${mac(`${email} ${id} ${until}`)}`;
      ctx.append(
        'Set-Cookie',
        `${nameFor(email)}=${value}; Path=/auth/v1; Max-Age=${remembered}; HttpOnly; SameSite=Strict${secure}`,
      );
    },
  };
}
