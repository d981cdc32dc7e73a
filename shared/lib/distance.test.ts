import { describe, expect, it } from 'vitest';
import { kilometresBetween } from './distance.ts';

const [auckland, wellington, winton, invercargill, waitangi] = [
  { latitude: -36.849, longitude: 174.764 },
  { latitude: -41.287, longitude: 174.776 },
  { latitude: -46.142, longitude: 168.325 },
  { latitude: -46.413, longitude: 168.347 },
  { latitude: -43.953, longitude: -176.559 },
] as const;

describe('how far it is', () => {
  it.each([
    ['Auckland to Wellington', auckland, wellington, 493],
    ['Winton to Invercargill', winton, invercargill, 30],
    ['Wellington to the Chathams, over the 180th meridian', wellington, waitangi, 765],
    ['a town to itself', winton, winton, 0],
  ])('%s', (_way, one, other, km) => {
    expect(Math.abs(kilometresBetween(one, other) - km)).toBeLessThan(3);
    expect(kilometresBetween(other, one)).toBeCloseTo(kilometresBetween(one, other), 6);
  });
});
