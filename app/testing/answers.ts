import type { Delta, ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import type { TransportFailure, TransportResult } from '../sync/ports.ts';

/* Answers to an exchange, written by hand, for tests without a server. */

const serverTime = '2026-05-01T00:00:00.000Z';

/** A whole answer, empty but for `changes`. */
export const deltaWith = (changes: Partial<Delta> = {}): TransportResult => ({
  ok: true,
  answer: {
    kind: 'delta',
    puts: {},
    removes: {},
    shelves: {},
    outcomes: [],
    cookie: 'c',
    more: false,
    serverTime,
    ...changes,
  },
});
export const resetFor = (reason: (ExchangeAnswer & { kind: 'reset' })['reason']): TransportResult => ({
  ok: true,
  answer: { kind: 'reset', reason },
});
export const failed = (failure: TransportFailure): TransportResult => ({ ok: false, failure });
/** The server answers 500. */
export const unwell = failed({ kind: 'server', status: 500, why: 'internal' });
