import webPush from 'web-push';
import type { VapidKeys } from './vapid-keys.ts';

/** Where one browser of a person is reached, as its `PushSubscription` says (Push API). */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushMessage {
  /** JSON, 3 kB at most: a push service takes 4,096 bytes of ciphertext (RFC 8030, section 7.2). */
  text: string;
  /** Seconds for which the push service keeps it for a phone that is off. */
  ttl: number;
  /**
   * 32 characters of base64url at most: a later message of the same topic replaces one that still waits (RFC 8030,
   * section 5.4).
   */
  topic: string;
}

/** `gone`: the browser has ended the subscription (404 or 410), and it is never to be used again. */
export type PushOutcome = 'sent' | 'gone';

/** The push service did not accept the message, and may do so later. */
export class PushServiceUnavailable extends Error {
  override name = 'PushServiceAway';
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super('the push service did not accept the message', options);
    this.code = code;
  }
}

/** @throws PushServiceAway */
export type SendPush = (target: PushTarget, message: PushMessage) => Promise<PushOutcome>;

const timeoutMs = 10_000;

/** Sends encrypted messages (RFC 8291) to push services (RFC 8030), signed with this server's key (RFC 8292). */
export function createSendPush({ keys, fetch }: { keys: VapidKeys; fetch: typeof globalThis.fetch }): SendPush {
  return async ({ endpoint, p256dh, auth }, { text, ttl, topic }) => {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: keys,
      contentEncoding: 'aes128gcm',
      TTL: ttl,
      topic,
      urgency: 'high',
    });
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new PushServiceUnavailable('no answer', { cause });
    });
    await response.body?.cancel();
    if (response.ok) return 'sent';
    if (response.status === 404 || response.status === 410) return 'gone';
    throw new PushServiceUnavailable(String(response.status));
  };
}
