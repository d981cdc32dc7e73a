import { expect, test } from 'vitest';
import { locatePhone, isCurrent, readStoredPlace } from './phone-place.ts';

const geolocation = (answer: (found: PositionCallback, failed: PositionErrorCallback) => void): Geolocation => ({
  getCurrentPosition: (found, failed) => answer(found, failed ?? (() => undefined)),
  watchPosition: () => 0,
  clearWatch: () => undefined,
});
const codes = { PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: '' } as const;
const failing = (code: number) => geolocation((_found, failed) => failed({ ...codes, code }));

test('the phone’s place is rounded to about a kilometre before anything keeps it', async () => {
  const found = await locatePhone(
    geolocation((give) =>
      give({ coords: { latitude: -37.787_654, longitude: 175.279_321 } } as unknown as GeolocationPosition),
    ),
  );
  expect(found).toEqual({ position: { latitude: -37.79, longitude: 175.28 } });
});

test('a phone that does not say where it is says why', async () => {
  expect(await locatePhone(failing(1))).toEqual({ error: 'denied' });
  expect(await locatePhone(failing(2))).toEqual({ error: 'unavailable' });
  expect(await locatePhone(failing(3))).toEqual({ error: 'slow' });
  expect(await locatePhone(undefined)).toEqual({ error: 'unavailable' });
});

test('what is kept is used for half a day, and not at all where it is not whole', () => {
  const kept = { latitude: -37.79, longitude: 175.28, at: '2026-03-01T08:00:00.000Z' };
  expect(readStoredPlace(kept)).toEqual(kept);
  for (const broken of [undefined, null, 'x', { latitude: -37, longitude: null, at: kept.at }, { ...kept, at: 5 }])
    expect(readStoredPlace(broken)).toBeUndefined();
  expect(isCurrent(kept, '2026-03-01T19:59:00.000Z')).toBe(true);
  expect(isCurrent(kept, '2026-03-01T20:01:00.000Z')).toBe(false);
});
