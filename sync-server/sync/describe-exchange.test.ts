import { expect, it } from 'vitest';
import type { Delta, ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { describeExchange } from './describe-exchange.ts';

const [uid, other, row] = [makeTestId(), makeTestId(), makeTestId()];
const at = '2026-11-21T00:00:00.000Z';

const request = (changes: Partial<ExchangeRequest> = {}) =>
  ({ protocol: 3, schema: 2, mutations: [], awaiting: [], ...changes }) as unknown as ExchangeRequest;
const delta = (changes: Partial<Delta> = {}) =>
  ({ kind: 'delta', outcomes: [], more: false, ...changes }) as unknown as Delta;
const mutation = (changes: object) => ({ uid, name: 'job.close', args: { id: row }, at, ...changes });
const linesOf = (changes: object, answer?: ExchangeAnswer) =>
  describeExchange(request({ mutations: [mutation(changes)] }), answer)['mutations'];

it('says the version that was spoken, and what kind of answer there was', () => {
  const answers: [ExchangeAnswer | undefined, string][] = [
    [undefined, 'none'],
    [{ kind: 'reset', reason: 'lineage' } as ExchangeAnswer, 'reset:lineage'],
    [delta({ more: true }), 'page'],
    [delta(), 'delta'],
  ];
  for (const [answer, words] of answers)
    expect(describeExchange(request(), answer)).toEqual({ protocol: '3.2', answer: words });
});

it('names each mutation with its uid, its row and what became of it', () => {
  const answer = delta({ outcomes: [{ uid, status: 'applied' }] });
  expect(linesOf({}, answer)).toEqual([`job.close ${uid} ${row} applied`]);
  const rejected = delta({ outcomes: [{ uid, status: 'refused', code: 'job-closed', message: 'Not for the log.' }] });
  expect(linesOf({}, rejected)).toEqual([`job.close ${uid} ${row} refused:job-closed`]);
  expect(linesOf({}, delta({ outcomes: [{ uid: other, status: 'applied' }] }))).toEqual([
    `job.close ${uid} ${row} undecided`,
  ]);
  expect(linesOf({})).toEqual([`job.close ${uid} ${row} undecided`]);
});

it('writes nothing of a mutation that could be a person’s words', () => {
  for (const name of ['aroha@example.nz', 'job.close and more', 'Job.close', `${'j'.repeat(21)}.close`])
    expect(linesOf({ name })).toEqual([`unnamed ${uid} ${row} undecided`]);
  for (const args of [{ id: '027 123 4567' }, { id: 7 }, { note: row }, null, 'text', undefined])
    expect(linesOf({ args })).toEqual([`job.close ${uid} - undecided`]);
});

it('says which earlier mutations the device still waited for', () => {
  const waiting = request({ awaiting: [uid, other] });
  expect(describeExchange(waiting, delta({ outcomes: [{ uid: other, status: 'applied' }] }))).toEqual({
    protocol: '3.2',
    answer: 'delta',
    awaiting: [`${uid} undecided`, `${other} applied`],
  });
});
