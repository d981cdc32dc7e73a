import type { Position } from './distance.ts';

/** Undefined where a row has none, or, on a device, came from a version without such columns. */
export function positionOf({
  latitude,
  longitude,
}: {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}): Position | undefined {
  return latitude == null || longitude == null ? undefined : { latitude, longitude };
}
