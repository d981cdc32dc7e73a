import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startHeart } from './start-heart.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('beats once a period for each, however they came', () => {
  const heart = startHeart(25_000);
  const beats = [vi.fn(), vi.fn()] as const;
  heart(beats[0]);
  vi.advanceTimersByTime(10_500);
  heart(beats[1]);
  vi.advanceTimersByTime(250_000);
  expect(beats[0]).toHaveBeenCalledTimes(10);
  expect(beats[1]).toHaveBeenCalledTimes(10);
});

it('keeps no timer where nothing beats, and begins again', () => {
  const heart = startHeart(25_000);
  const stops = [heart(vi.fn()), heart(vi.fn())] as const;
  stops[0]();
  stops[0]();
  expect(vi.getTimerCount()).toBe(1);
  stops[1]();
  expect(vi.getTimerCount()).toBe(0);
  const beat = vi.fn();
  heart(beat);
  vi.advanceTimersByTime(26_000);
  expect(beat).toHaveBeenCalledTimes(1);
});
