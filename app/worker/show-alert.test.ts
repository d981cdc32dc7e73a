import { beforeEach, describe, expect, it } from 'vitest';
import type { PushMessageBody } from '../../shared/protocol/push-message.ts';
import { goToPage, pageOfAlert, showAlert } from './show-alert.ts';

const aroha = '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c8d';
const wiremu = '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c99';
const job = {
  id: '0199f1c2-7d5b-7c3e-9a41-5b1f0c6d2e83',
  createdAt: '2026-11-20T20:15:00.000Z',
  title: 'Fix the gate',
};

const message = (): PushMessageBody => ({
  web_push: 8030,
  notification: {
    title: 'Fix the gate',
    body: 'Winton',
    navigate: `https://dwang.example.nz/job/${job.id}`,
    tag: `job-${job.id}`,
    lang: 'en-NZ',
    data: { for: aroha, kind: 'job', feed: { version: '17', timeline: 'now' }, jobs: [job] },
  },
});

let shown: [string, NotificationOptions | undefined][];
let kept: unknown[];
let here: string | undefined;
const ports = {
  registration: {
    showNotification: async (title: string, options?: NotificationOptions) => void shown.push([title, options]),
  },
  personHere: async () => here,
  keepJobs: async (_userId: string, { jobs }: PushMessageBody['notification']['data']) => kept.push(...jobs),
  log: () => undefined,
};

beforeEach(() => {
  [shown, kept, here] = [[], [], aroha];
});

describe('an alert on the locked phone', () => {
  it('is shown, and its job kept for opening it without signal', async () => {
    await showAlert(JSON.stringify(message()), ports);
    expect(shown).toEqual([
      [
        'Fix the gate',
        expect.objectContaining({ body: 'Winton', tag: `job-${job.id}`, data: { navigate: `/job/${job.id}` } }),
      ],
    ]);
    expect(kept).toEqual([job]);
  });

  it.each([
    ['another person is signed in', wiremu],
    ['no person is signed in', undefined],
  ])('says and keeps nothing where %s [I17]', async (_where, person) => {
    here = person;
    await showAlert(JSON.stringify(message()), ports);
    expect(kept).toEqual([]);
    expect(JSON.stringify(shown)).not.toContain('Fix the gate');
    expect(shown).toHaveLength(1);
  });

  it('is shown where the phone is full', async () => {
    const full = { ...ports, keepJobs: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) };
    await showAlert(JSON.stringify(message()), full);
    expect(shown[0]?.[0]).toBe('Fix the gate');
  });

  it.each(['', 'not JSON', '{"web_push":8030}', '{"title":"Win a prize"}'])(
    'that is none (%j) shows nothing of it',
    async (text) => {
      await showAlert(text, ports);
      expect(shown.map(([title]) => title)).toEqual(['Dwang']);
    },
  );
});

describe('a tap on an alert', () => {
  it.each([
    [{ navigate: '/job/1' }, '/job/1'],
    [{ navigate: 'https://evil.example/' }, '/dashboard'],
    [{ navigate: '//evil.example' }, '/dashboard'],
    [null, '/dashboard'],
  ])('%j opens %s', (data, page) => {
    expect(pageOfAlert(data)).toBe(page);
  });

  it('uses the window that is there, and opens one where there is none', async () => {
    const done: string[] = [];
    const window = { focus: async () => done.push('focus'), navigate: async (path: string) => done.push(`to ${path}`) };
    const openWindow = async (path: string) => done.push(`open ${path}`);
    await goToPage('/job/1', { clients: { matchAll: async () => [window], openWindow } });
    await goToPage('/job/2', { clients: { matchAll: async () => [], openWindow } });
    expect(done).toEqual(['focus', 'to /job/1', 'open /job/2']);
  });
});
