import type { Position } from './distance.ts';

/** The Chatham Islands are drawn this many degrees nearer to the mainland: else half of the map would be sea. */
const chathamsShift = 4.4;

/** Corners of the map: degrees, longitudes east of 180 counted on. */
const west = 166.1;
const east = 179.6;
const north = -34.1;
const south = -47.5;

const mercator = (latitude: number) => Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360));
const [top, bottom] = [mercator(north), mercator(south)];

/** Width of the map by its height. */
export const mapShape = ((east - west) * Math.PI) / 180 / (top - bottom);

/**
 * Where a place is on the map, from its left and its top, 0 to 1 each (Mercator). Places off the map are beyond that.
 */
export function mapPoint({ latitude, longitude }: Position): { x: number; y: number } {
  const eastward = longitude < 0 ? longitude + 360 - chathamsShift : longitude;
  return { x: (eastward - west) / (east - west), y: (top - mercator(latitude)) / (top - bottom) };
}
