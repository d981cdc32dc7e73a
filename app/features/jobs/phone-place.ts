import type { Position } from '../../../shared/lib/distance.ts';
import { hour, minute } from '../../../shared/lib/durations.ts';

/** As it is kept on this device (`place` in `MetaEntry`): degrees to two decimals. */
export interface PhonePlace extends Position {
  /** ISO instant at which the phone was there. */
  readonly at: string;
}

/** Why a phone does not say where it is. */
export type PlaceError = 'denied' | 'unavailable' | 'slow';

export const maxPlaceAgeHours = 12;
const waitMs = 20_000;
/** A place found some minutes ago is as good, and quicker. */
const maxAgeMs = 5 * minute;

/** About a kilometre: no more is needed, so no more is kept. */
const rounded = (degrees: number) => Math.round(degrees * 100) / 100;

/** Asks the browser, which asks its person unless they have answered before. */
export function locatePhone(
  geolocation: Geolocation | undefined,
): Promise<{ readonly position: Position } | { readonly error: PlaceError }> {
  return new Promise((resolve) => {
    if (geolocation === undefined) {
      resolve({ error: 'unavailable' });
      return;
    }
    geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) =>
        resolve({ position: { latitude: rounded(latitude), longitude: rounded(longitude) } }),
      ({ code, PERMISSION_DENIED, TIMEOUT }) =>
        resolve({ error: code === PERMISSION_DENIED ? 'denied' : code === TIMEOUT ? 'slow' : 'unavailable' }),
      { enableHighAccuracy: false, timeout: waitMs, maximumAge: maxAgeMs },
    );
  });
}

/** What is kept, if it is whole. */
export function readStoredPlace(value: unknown): PhonePlace | undefined {
  const { latitude, longitude, at } = (value ?? {}) as Partial<PhonePlace>;
  return typeof latitude === 'number' && typeof longitude === 'number' && typeof at === 'string'
    ? { latitude, longitude, at }
    : undefined;
}

/** A phone that travels is elsewhere by the evening. */
export function isCurrent({ at }: PhonePlace, now: string): boolean {
  const age = Date.parse(now) - Date.parse(at);
  return age < maxPlaceAgeHours * hour;
}
