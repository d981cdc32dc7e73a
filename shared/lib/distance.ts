/** Degrees, WGS 84. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const earthRadiusKm = 6_371;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * Kilometres as the crow flies, by the haversine formula: at most half a per cent off, which is less than the towns'
 * own positions.
 */
export function kilometresBetween(one: Position, other: Position): number {
  const halfLatitude = radians(other.latitude - one.latitude) / 2;
  const halfLongitude = radians(other.longitude - one.longitude) / 2;
  const chord =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(halfLongitude) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, chord)));
}
