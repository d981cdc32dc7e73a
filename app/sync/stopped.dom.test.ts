import { expect, test } from 'vitest';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { deltaWith, unwell } from '../testing/answers.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import type { TransportResult } from './ports.ts';

test('[S12] a server that stopped in the middle of a request is asked again when it said, though it decided some', async () => {
  const clock = manualClock();
  let asked: ExchangeRequest[] = [];
  let answer: (request: ExchangeRequest) => TransportResult = () => unwell;
  const harness = await openDeviceHarness({
    clock,
    ports: { transport: async (request) => (asked.push(request), answer(request)) },
  });
  const phone = await harness.as(harness.addHomeowner());
  await postGate(phone, 'First');
  await postGate(phone, 'Second');
  await phone.settle();
  answer = ({ mutations: [first] }) =>
    first === undefined
      ? deltaWith()
      : deltaWith({
          outcomes: [{ uid: first.uid, status: 'applied' }],
          stopped: { uid: first.uid, retryAfterMs: 7_000 },
        });
  asked = [];
  phone.sync.sendNow();
  await phone.settle();
  const sent = () => asked.map(({ mutations }) => mutations.length);
  expect([sent(), phone.sync.status.current().phase]).toEqual([[2], 'waiting']);
  clock.advance(6_999);
  await phone.settle();
  expect(sent()).toEqual([2]);
  clock.advance(1);
  await phone.settle();
  expect(sent()).toEqual([2, 1]);
  await harness.close();
});
