import { describe, expect, it } from 'vitest';
import { nextSendTime } from './next-send-time.ts';

const usual = { quietFrom: 21, quietTo: 7, alertsPerDay: 10 };
const at = (iso: string) => new Date(iso);

describe('when a person is told', () => {
  it('by day: at once', () => {
    const noon = at('2026-11-22T23:00:00Z');
    expect(nextSendTime(usual, { now: noon, sentToday: 9 })).toEqual(noon);
  });

  it('at ten at night: at seven in the morning', () => {
    expect(nextSendTime(usual, { now: at('2026-11-23T09:00:00Z'), sentToday: 0 })).toEqual(at('2026-11-23T18:00:00Z'));
  });

  it('in the night before the clocks go forward: at seven by the clock', () => {
    expect(nextSendTime(usual, { now: at('2026-09-26T11:00:00Z'), sentToday: 0 })).toEqual(at('2026-09-26T18:00:00Z'));
  });

  it('after as many messages as they want in a day: next morning', () => {
    expect(nextSendTime(usual, { now: at('2026-11-22T23:00:00Z'), sentToday: 10 })).toEqual(at('2026-11-23T18:00:00Z'));
  });

  it('without quiet hours: at night too', () => {
    const night = at('2026-11-23T11:30:00Z');
    expect(nextSendTime({ ...usual, quietFrom: 0, quietTo: 0 }, { now: night, sentToday: 0 })).toEqual(night);
  });
});
