import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { openTestPushService } from '../../sync-server/testing/test-push-service.ts';

/** Mozilla's push service as a test has it: where servers send to, and where Firefox is connected to. */
export interface MozillaPush {
  /** Origin of the addresses that servers send to. */
  origin: string;
  /** Where Firefox connects to: `dom.push.serverURL`. */
  address: string;
  /** How many browsers are connected now. */
  connected(): number;
  /** How many messages no browser has said it got. */
  waiting(): number;
  /** What browsers said of the messages they got: 100, given to the worker; 101, not decrypted; 102, given to none. */
  acks: readonly number[];
  close(): Promise<void>;
}

type Asked =
  | { messageType: 'hello'; uaid?: string }
  | { messageType: 'register'; channelID: string; key?: string }
  | { messageType: 'unregister'; channelID: string; code?: number }
  | { messageType: 'ack'; updates: { channelID: string; version: string; code?: number }[] }
  | { messageType: 'nack'; version: string; code?: number }
  | { messageType: 'broadcast_subscribe' }
  | { messageType?: undefined };

interface Browser {
  socket?: WebSocket | undefined;
  /** Addresses by channel. */
  channels: Map<string, string>;
  /** What it has not said it got, by version. */
  unsaid: Map<string, object>;
}

/**
 * The service half is the tests' push service, which checks the server's signature; what it takes goes on to the
 * browser as it came, still encrypted, by Mozilla's protocol
 * (https://mozilla-push-service.readthedocs.io/en/latest/design/). What a browser that is not connected should get
 * waits until it is.
 */
export async function openMozillaPush(): Promise<MozillaPush> {
  const service = await openTestPushService();
  const browsers = new Map<string, Browser>();
  const acks: number[] = [];
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');

  const register = (browser: Browser, channelID: string, key: string) => {
    const endpoint = service.openEndpoint(Buffer.from(key, 'base64url').toString('base64url'), (body) => {
      const version = randomUUID();
      const message = {
        messageType: 'notification',
        channelID,
        version,
        data: body.toString('base64url'),
        headers: { encoding: 'aes128gcm' },
      };
      browser.unsaid.set(version, message);
      browser.socket?.send(JSON.stringify(message));
    });
    browser.channels.set(channelID, endpoint);
    return endpoint;
  };

  sockets.on('connection', (socket) => {
    let browser: Browser | undefined;
    const say = (answer: object) => socket.send(JSON.stringify(answer));

    const greet = (said: string | undefined) => {
      const uaid = said !== undefined && browsers.has(said) ? said : randomUUID().replaceAll('-', '');
      browser = browsers.get(uaid) ?? { channels: new Map(), unsaid: new Map() };
      browser.socket = socket;
      browsers.set(uaid, browser);
      say({ messageType: 'hello', uaid, status: 200, use_webpush: true, broadcasts: {} });
      for (const message of browser.unsaid.values()) say(message);
    };

    const hear = (asked: Asked) => {
      if (asked.messageType === undefined) return say({});
      if (asked.messageType === 'hello') return greet(asked.uaid);
      if (browser === undefined) return socket.close();
      switch (asked.messageType) {
        case 'register': {
          const { channelID, key = '' } = asked;
          const pushEndpoint = register(browser, channelID, key);
          return say({ messageType: 'register', channelID, status: 200, pushEndpoint });
        }
        case 'unregister': {
          const { channelID } = asked;
          const endpoint = browser.channels.get(channelID);
          if (endpoint !== undefined) service.closeEndpoint(endpoint);
          browser.channels.delete(channelID);
          return say({ messageType: 'unregister', channelID, status: 200 });
        }
        case 'ack':
          for (const { version, code = 100 } of asked.updates) {
            browser.unsaid.delete(version);
            acks.push(code);
          }
          return;
        case 'nack':
          acks.push(asked.code ?? 0);
          return;
        case 'broadcast_subscribe':
      }
    };
    socket.on('message', (data) => hear(JSON.parse(String(data)) as Asked));
    socket.on('close', () => {
      if (browser?.socket === socket) browser.socket = undefined;
    });
  });

  return {
    origin: service.url,
    address: `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}/`,
    connected: () => [...browsers.values()].filter(({ socket }) => socket !== undefined).length,
    waiting: () => [...browsers.values()].reduce((sum, { unsaid }) => sum + unsaid.size, 0),
    acks,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await service.close();
    },
  };
}
