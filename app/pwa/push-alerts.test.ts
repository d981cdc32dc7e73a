import { beforeEach, describe, expect, it } from 'vitest';
import { createPushAlerts, type PushPorts } from './push-alerts.ts';

const aroha = '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c8d';
const wiremu = '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c99';

let told: string[];
let owner: unknown;
let left: unknown;
let browser: {
  subscription: { endpoint: string; key: string } | null;
  permission: NotificationPermission;
  answers: NotificationPermission;
};
let isServerAway: boolean;
let made: number;

const manager = {
  getSubscription: async () => asSubscription(),
  subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
    if (browser.subscription !== null && browser.subscription.key !== key)
      throw new DOMException('another key', 'InvalidStateError');
    made += 1;
    browser.subscription ??= { endpoint: `https://push.example.nz/${made}`, key };
    return asSubscription();
  },
};

function asSubscription() {
  const kept = browser.subscription;
  return (
    kept && {
      endpoint: kept.endpoint,
      toJSON: () => ({ endpoint: kept.endpoint, keys: { p256dh: 'p', auth: 'a' } }),
      unsubscribe: async () => {
        browser.subscription = null;
        return true;
      },
    }
  );
}

function open(changes: Partial<PushPorts> = {}) {
  return createPushAlerts({
    worker: { ready: Promise.resolve({ pushManager: manager as unknown as PushManager }) },
    permission: {
      current: () => browser.permission,
      ask: async () => (browser.permission = browser.permission === 'default' ? browser.answers : browser.permission),
    },
    serverKey: async () => 'key-1',
    subscribe: async ({ endpoint }) => {
      if (isServerAway) throw new Error('no answer');
      told.push(`on ${endpoint}`);
    },
    unsubscribe: async (endpoint) => {
      if (isServerAway) throw new Error('no answer');
      told.push(`off ${endpoint}`);
    },
    owner: { read: async () => owner, write: async (userId) => (owner = userId) },
    left: { read: async () => left, write: async (next) => (left = next) },
    needsInstall: false,
    log: () => undefined,
    ...changes,
  });
}

beforeEach(() => {
  [told, owner, left, isServerAway, made] = [[], undefined, undefined, false, 0];
  browser = { subscription: null, permission: 'default', answers: 'granted' };
});

describe('alerts on this device', () => {
  it('are off until the person turns them on, and nothing is asked before', async () => {
    const alerts = open();
    await alerts.look(aroha);
    expect([alerts.state.current(), browser.permission]).toEqual(['off', 'default']);
    expect(await alerts.turnOn(aroha)).toBe('on');
    expect([alerts.state.current(), told]).toEqual(['on', ['on https://push.example.nz/1']]);
  });

  it('are blocked where the person says no to the browser', async () => {
    browser.answers = 'denied';
    const alerts = open();
    expect(await alerts.turnOn(aroha)).toBe('blocked');
    expect(told).toEqual([]);
  });

  it('stay on after a reload, and the server learns the browser’s address of today', async () => {
    await open().turnOn(aroha);
    browser.subscription = { endpoint: 'https://push.example.nz/renewed', key: 'key-1' };
    const alerts = open();
    await alerts.look(aroha);
    expect([alerts.state.current(), told.at(-1)]).toEqual(['on', 'on https://push.example.nz/renewed']);
  });

  it('of one person end when another person is here [I17]', async () => {
    await open().turnOn(aroha);
    const alerts = open();
    await alerts.look(wiremu);
    expect([alerts.state.current(), browser.subscription]).toEqual(['off', null]);
  });

  it('are turned off without signal', async () => {
    const alerts = open();
    await alerts.turnOn(aroha);
    isServerAway = true;
    await alerts.turnOff(aroha);
    expect([alerts.state.current(), browser.subscription, owner]).toEqual(['off', null, undefined]);
  });

  it('end with the log-out of the person who turned them on, and of no other [I17]', async () => {
    const alerts = open();
    await alerts.turnOn(aroha);
    await alerts.end(wiremu);
    expect([alerts.state.current(), owner]).toEqual(['on', aroha]);
    await alerts.end(aroha);
    expect([alerts.state.current(), browser.subscription, owner]).toEqual(['off', null, undefined]);
  });

  it('that the browser cannot end hold up no log-out', async () => {
    const logged: string[] = [];
    const unable = { ...manager, getSubscription: () => Promise.reject(new DOMException('gone', 'AbortError')) };
    const alerts = open({
      worker: { ready: Promise.resolve({ pushManager: unable as unknown as PushManager }) },
      log: (event) => logged.push(event),
    });
    owner = aroha;
    await alerts.end(aroha);
    expect(logged).toEqual(['push-end']);
  });

  it('are not called on where the server did not hear of it', async () => {
    isServerAway = true;
    const alerts = open();
    await expect(alerts.turnOn(aroha)).rejects.toThrow('no answer');
    expect(alerts.state.current()).not.toBe('on');
  });

  it('that the browser cannot turn on are said in our words', async () => {
    const alerts = open({
      worker: {
        ready: Promise.resolve({
          pushManager: {
            ...manager,
            subscribe: () => Promise.reject(new DOMException('Registration failed - push service error', 'AbortError')),
          } as unknown as PushManager,
        }),
      },
    });
    await expect(alerts.turnOn(aroha)).rejects.toThrow('This browser could not turn on alerts. Try again later.');
  });

  it('are made anew where the server has another key than before', async () => {
    browser.subscription = { endpoint: 'https://push.example.nz/old', key: 'key-0' };
    const alerts = open();
    expect(await alerts.turnOn(aroha)).toBe('on');
    expect(browser.subscription).toMatchObject({ key: 'key-1' });
  });

  it.each([
    ['an iPhone’s browser, where only an installed app has them', { worker: undefined, needsInstall: true }, 'install'],
    ['a browser without push', { worker: undefined }, 'unsupported'],
    ['a server without a key', { serverKey: async () => undefined }, 'unsupported'],
  ] as const)('cannot be turned on in %s', async (_where, changes, state) => {
    const alerts = open(changes);
    await alerts.look(aroha);
    expect(alerts.state.current()).toBe(state);
  });

  it('turned off without signal are off at once, and the server hears of it with the signal, also after a restart', async () => {
    const alerts = open();
    await alerts.turnOn(aroha);
    isServerAway = true;
    await alerts.turnOff(aroha);
    expect([alerts.state.current(), browser.subscription]).toEqual(['off', null]);
    isServerAway = false;
    const later = open();
    await later.look(wiremu);
    expect(told).not.toContain('off https://push.example.nz/1');
    await later.look(aroha);
    await later.look(aroha);
    expect(told.filter((line) => line.startsWith('off'))).toEqual(['off https://push.example.nz/1']);
  });

  it('turned off without signal and on again at the same address stay on', async () => {
    const alerts = open();
    await alerts.turnOn(aroha);
    isServerAway = true;
    await alerts.turnOff(aroha);
    isServerAway = false;
    made = 0;
    await alerts.turnOn(aroha);
    await alerts.look(aroha);
    expect(told.at(-1)).toBe('on https://push.example.nz/1');
    expect(told.some((line) => line.startsWith('off'))).toBe(false);
  });

  it('of a person who logs out leave nothing of them here', async () => {
    const alerts = open();
    await alerts.turnOn(aroha);
    isServerAway = true;
    await alerts.turnOff(aroha);
    await alerts.end(aroha);
    expect([owner, left]).toEqual([undefined, undefined]);
  });
});
