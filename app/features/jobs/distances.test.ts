import { expect, test } from 'vitest';
import type { Place } from '../../lib/reference-lists.ts';
import { distancesFrom, kmWords, nearestTown } from './distances.ts';

const winton: Place = {
  id: 'southland/winton',
  region: 'Southland',
  town: 'Winton',
  position: { latitude: -46.142, longitude: 168.325 },
};
const invercargill: Place = {
  id: 'southland/invercargill',
  region: 'Southland',
  town: 'Invercargill',
  position: { latitude: -46.413, longitude: 168.347 },
};
const unplaced: Place = { id: 'southland/nowhere', region: 'Southland', town: 'Nowhere' };

test('every town that has a position has a distance', () => {
  const distances = distancesFrom(winton.position!, [winton, invercargill, unplaced]);
  expect([...distances.keys()]).toEqual(['southland/winton', 'southland/invercargill']);
  expect(distances.get('southland/winton')).toBe(0);
  expect(Math.round(distances.get('southland/invercargill')!)).toBe(30);
});

test('the town that a phone is nearest to; none, where no town has a position', () => {
  const phone = { latitude: -46.38, longitude: 168.35 };
  expect(nearestTown(phone, [unplaced, winton, invercargill])).toBe(invercargill);
  expect(nearestTown(phone, [unplaced])).toBeUndefined();
});

test('kilometres are whole, and no job is said to be nearer than towns’ positions are good for', () => {
  const said = [0, 1.9, 2, 37.6, 1_229.7].map(kmWords);
  expect(said).toEqual(['under 2\u{A0}km', 'under 2\u{A0}km', '2\u{A0}km', '38\u{A0}km', '1,230\u{A0}km']);
});
