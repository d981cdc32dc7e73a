import { expect, it } from 'vitest';
import { createExchangeStats } from '../health/exchange-stats.ts';
import { statusPage, type Status } from './status-page.ts';

const stats = createExchangeStats(() => new Date('2026-11-21T00:00:00Z'));
const ok = { state: 'ok', ms: 1, isNeeded: true, says: 'embedded', at: '' } as const;
const evil = '<img src=x onerror=alert(1)>';

const status = (changes: Partial<Status> = {}): Status => ({
  at: new Date('2026-11-21T00:00:00Z'),
  checks: { database: ok },
  reasons: [],
  sync: undefined,
  safety: undefined,
  uptimeSeconds: 90_061,
  memoryBytes: 1,
  listeners: 0,
  oldestUnsentMs: 0,
  memory: { isFresh: true, headAgeMs: 1, proofAgeMs: 1 },
  exchange: stats.now(),
  history: stats.history(),
  deadLetters: [],
  ...changes,
});
const said = (changes: Partial<Status>) => /role="status">([^<]*)</.exec(statusPage(status(changes), true))?.[1];

it('sums the state up in one line, the worst first', () => {
  const deadLetters = [
    { userId: 'u', uid: 'i', name: 'job.post', error: 'e', parkedAt: new Date(), replayedAt: null, discardedAt: null },
  ];
  expect(said({})).toBe('Ready: all is well');
  expect(said({ deadLetters })).toBe('Ready; 1 dead letter waits for you');
  expect(said({ deadLetters: undefined })).toBe('Ready, but dead letters could not be read');
  expect(said({ deadLetters, checks: { database: ok, billing: { ...ok, state: 'down', isNeeded: false } } })).toBe(
    'Ready, but billing is away',
  );
  expect(said({ deadLetters, reasons: ['disk: the disk is full'] })).toBe('Not ready: disk: the disk is full');
});

it('works without the database', () => {
  const page = statusPage(status(), true);
  expect(page).toContain('The database does not answer');
  expect(page).toContain('running for 1 d 1 h 1 min');
});

it('lets nothing that was sent become HTML, and needs nothing inline', () => {
  const deadLetters = [
    { userId: evil, uid: evil, name: evil, error: evil, parkedAt: new Date(), replayedAt: null, discardedAt: null },
  ];
  const overview: Status['sync'] = {
    devices: { lastFiveMinutes: 0, lastDay: 0, known: 0, people: 0 },
    mutations: [{ name: evil, status: evil, code: evil, count: 1 }],
    parked: 1,
    failing: 0,
    headVersion: evil,
    tombstoneFloor: '0',
    lineage: evil,
    changeTable: { rows: 0, removals: 0, bytes: 0 },
    effects: { waiting: 0, oldestSeconds: 0, givenUp: 0 },
    alerts: {
      byPhone: { sent: 11, failed: 12, gone: 13, waiting: 14 },
      byMail: { sent: 15, failed: 16, waiting: 17 },
      phones: 18,
    },
    retention: [{ job: evil, finishedAt: new Date(), removed: 0 }],
  };
  const page = statusPage(
    status({ deadLetters, sync: overview, reasons: [evil], checks: { disk: { ...ok, says: evil } } }),
    false,
  );
  const alerts = page.slice(page.indexOf('id="alerts"'), page.indexOf('id="decided"'));
  expect(Array.from(alerts.matchAll(/<td[^>]*>(\d*)</g), ([, figure]) => figure)).toEqual([
    '11',
    '12',
    '13',
    '14',
    '15',
    '16',
    '',
    '17',
  ]);
  expect(page).not.toContain('<img');
  expect(page).not.toMatch(/ style=|<style|<script(?![^>]* src=)| on\w+="/);
});
