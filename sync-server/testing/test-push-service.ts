import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import type { PushTarget } from '../push/send-push.ts';

export interface TakenPush {
  endpoint: string;
  /** What the browser would hand to its service worker. */
  text: string;
  ttl: number;
  topic: string | undefined;
  urgency: string | undefined;
}

export interface TestPushService {
  /** Its origin. */
  url: string;
  taken: TakenPush[];
  /**
   * A browser that has subscribed with the server's key. `endpoint`: as another service would name it; its path leads
   * here.
   */
  subscribe(publicKey: string, endpoint?: string): PushTarget;
  /**
   * An address for a browser that decrypts for itself, and has subscribed with this key. `deliver` gets each message as
   * it came.
   */
  openEndpoint(publicKey: string, deliver: (body: Buffer) => void): string;
  /** Nothing is taken for it any more: 410. */
  closeEndpoint(endpoint: string): void;
  /** What it answers from now on; 201 accepts. `retryAfter`: seconds, as a header. */
  answer(status: number): void;
  close(): Promise<void>;
}

interface Browser extends PushTarget {
  ecdh: ReturnType<typeof createECDH>;
}

interface Endpoint {
  address: string;
  publicKey: string;
  take(request: IncomingMessage, body: Buffer): void;
}

/**
 * A push service and the browsers behind it: it checks the server's signature (RFC 8292), takes the message (RFC 8030)
 * and decrypts it (RFC 8291, RFC 8188) with nothing of the library that encrypted it.
 */
export async function openTestPushService(): Promise<TestPushService> {
  const taken: TakenPush[] = [];
  /** The endpoints by path and query; undefined is closed. */
  const endpoints = new Map<string, Endpoint | undefined>();
  let status = 201;
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await readBody(request);
      const path = request.url ?? '';
      const endpoint = endpoints.get(path);
      if (endpoint === undefined) return endpoints.has(path) ? 410 : 404;
      if (status !== 201) return status;
      if (!(await isSigned(request, endpoint, new URL(endpoint.address).origin))) return 403;
      if (request.headers['content-encoding'] !== 'aes128gcm' || body.length > 4_096) return 413;
      endpoint.take(request, body);
      return 201;
    };
    answer().then(
      (code) => response.writeHead(code).end(),
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const makeAddress = () => `${url}/push/${randomBytes(8).toString('hex')}`;
  const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;
  return {
    url,
    taken,
    openEndpoint(publicKey, deliver) {
      const address = makeAddress();
      endpoints.set(pathOf(address), { address, publicKey, take: (_, body) => deliver(body) });
      return address;
    },
    closeEndpoint: (address) => void endpoints.set(pathOf(address), undefined),
    subscribe(publicKey, endpoint = makeAddress()) {
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const target = {
        endpoint,
        p256dh: ecdh.getPublicKey('base64url'),
        auth: randomBytes(16).toString('base64url'),
      };
      const take = ({ headers }: IncomingMessage, body: Buffer) =>
        void taken.push({
          endpoint,
          text: decrypt(body, { ...target, ecdh }),
          ttl: Number(headers['ttl']),
          topic: headers['topic']?.toString(),
          urgency: headers['urgency']?.toString(),
        });
      endpoints.set(pathOf(endpoint), { address: endpoint, publicKey, take });
      return target;
    },
    answer: (next) => void (status = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/**
 * `Authorization: vapid t=<token>, k=<key>`: the token is for this service, of the key that the browser subscribed
 * with.
 */
async function isSigned(request: IncomingMessage, { publicKey }: Endpoint, audience: string): Promise<boolean> {
  const [, token, key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined || key !== publicKey) return false;
  const point = Buffer.from(key, 'base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience });
  return /^(mailto:|https:)/.test(String(payload.sub)) && payload.exp !== undefined;
}

/** One record of `aes128gcm`: salt, record size, the sender's key, ciphertext. */
function decrypt(body: Buffer, { ecdh, p256dh, auth }: Browser): string {
  const keyLength = body.readUInt8(20);
  const [salt, sender, cipher] = [
    body.subarray(0, 16),
    body.subarray(21, 21 + keyLength),
    body.subarray(21 + keyLength),
  ];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), sender]);
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), Buffer.from(auth, 'base64url'), info, 32));
  const pseudoRandom = createHmac('sha256', salt).update(secret).digest();
  const expand = (label: string, length: number) =>
    createHmac('sha256', pseudoRandom)
      .update(Buffer.concat([Buffer.from(`Content-Encoding: ${label}\0`), Buffer.from([1])]))
      .digest()
      .subarray(0, length);
  const decipher = createDecipheriv('aes-128-gcm', expand('aes128gcm', 16), expand('nonce', 12));
  decipher.setAuthTag(cipher.subarray(-16));
  const padded = Buffer.concat([decipher.update(cipher.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
