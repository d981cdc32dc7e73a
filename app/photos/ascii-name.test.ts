import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiName } from './ascii-name.ts';

test.each([
  ['IMG_2041.HEIC', 'image/jpeg', 'IMG_2041.jpg'],
  ['Whangārei verandah (2).png', 'image/png', 'Whangarei-verandah-2.png'],
  ['../../etc/passwd', 'image/jpeg', 'photo.jpg'],
  ['.hidden', 'image/webp', 'photo.webp'],
  ['写真.jpg', 'image/jpeg', 'photo.jpg'],
  ['--roof--.png', 'image/png', 'roof.png'],
  [`${'a'.repeat(200)}.jpg`, 'image/jpeg', `${'a'.repeat(80)}.jpg`],
  ['no ending', 'application/octet-stream', 'no-ending.jpg'],
])('%s', (name, type, safe) => {
  expect(asciiName(name, type)).toBe(safe);
});

test('whatever a phone names a file, storage and the server accept it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const safe = asciiName(name, 'image/jpeg');
      return /^[\w-][\w.-]*$/.test(safe) && safe.length <= 90 && !safe.startsWith('.');
    }),
  );
});
