import webPush from 'web-push';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPushService, type TestPushService } from '../testing/test-push-service.ts';
import { isPushService } from './push-services.ts';
import { createSendPush, type SendPush } from './send-push.ts';

const keys = { ...webPush.generateVAPIDKeys(), subject: 'mailto:hello@dwang.example.nz' };
const message = { text: JSON.stringify({ title: 'Kia ora, Ōtautahi' }), ttl: 3_600, topic: 'job-1' };

let service: TestPushService;
let send: SendPush;
beforeAll(async () => {
  service = await openTestPushService();
  send = createSendPush({ keys, fetch });
});
beforeEach(() => service.answer(201));
afterAll(() => service.close());

describe('a message to a phone', () => {
  it('arrives encrypted for that browser alone, signed by this server', async () => {
    const target = service.subscribe(keys.publicKey);
    expect(await send(target, message)).toBe('sent');
    expect(service.taken.at(-1)).toEqual({ ...message, endpoint: target.endpoint, urgency: 'high' });
  });

  it('of 3,000 bytes is small enough for a push service', async () => {
    const text = 'ā'.repeat(1_500);
    expect(await send(service.subscribe(keys.publicKey), { ...message, text })).toBe('sent');
    expect(service.taken.at(-1)?.text).toBe(text);
  });

  it.each([404, 410])('to a browser that has unsubscribed (%i) is never tried again', async (status) => {
    const target = service.subscribe(keys.publicKey);
    service.answer(status);
    expect(await send(target, message)).toBe('gone');
  });

  it.each([429, 500, 413])('that the push service does not take now (%i) is to be tried again', async (status) => {
    const target = service.subscribe(keys.publicKey);
    service.answer(status);
    await expect(send(target, message)).rejects.toMatchObject({ name: 'PushServiceAway', code: String(status) });
  });

  it('signed with another key than the browser subscribed with is not accepted', async () => {
    const target = service.subscribe(webPush.generateVAPIDKeys().publicKey);
    await expect(send(target, message)).rejects.toMatchObject({ code: '403' });
  });
});

describe('the address that a browser hands in', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/dGVzdA:APA91b',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk',
    'https://web.push.apple.com/QGuQyavXutnMH9',
    'https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD',
  ])('%s is a push service’s, and is sent to as it stands, signed for its origin', async (endpoint) => {
    expect(isPushService(endpoint, [])).toBe(true);
    // The network is the double: what would go to that host goes to the tests' own service, under the same path.
    const called: string[] = [];
    const lead: typeof fetch = (input, init) => {
      called.push(String(input));
      const { pathname, search } = new URL(String(input));
      return fetch(service.url + pathname + search, init);
    };
    expect(await createSendPush({ keys, fetch: lead })(service.subscribe(keys.publicKey, endpoint), message)).toBe(
      'sent',
    );
    expect(called).toEqual([endpoint]);
    expect(service.taken.at(-1)).toEqual({ ...message, endpoint, urgency: 'high' });
  });

  it.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com:8443/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evilfcm.googleapis.com/x',
    'https://user@fcm.googleapis.com/x',
    'http://127.0.0.1:8080/x',
    'http://169.254.169.254/latest/meta-data',
    'not an address',
  ])('%s is not called by this server', (endpoint) => {
    expect(isPushService(endpoint, [])).toBe(false);
  });

  it('may be of an origin that the operator trusts', () => {
    expect(isPushService('https://push.example.nz/x', ['https://push.example.nz'])).toBe(true);
  });
});
