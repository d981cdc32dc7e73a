import { expect, test } from 'vitest';
import { hasHomeScreen } from './home-screen.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = (system: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${webkit}`;
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit}`;

test.each([
  ['Safari on an iPhone', `${iphone('18_6')} Version/26.0 Mobile/15E148 Safari/604.1`, 5],
  ['Safari on an old iPhone', `${iphone('15_8')} Version/15.6 Mobile/15E148 Safari/604.1`, 5],
  ['Safari on an iPad, which says that it is a Mac', `${mac} Version/17.5 Safari/605.1.15`, 5],
  [
    'Safari on an iPad, asked for the mobile site',
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${webkit} Version/17.5 Mobile/15E148 Safari/604.1`,
    5,
  ],
  ['Chrome on an iPhone', `${iphone('17_5')} CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1`, 5],
  ['Chrome on the first iOS with it', `${iphone('16_4')} CriOS/114.0.5735.99 Mobile/15E148 Safari/604.1`, 5],
  ['Chrome on an iPad', `${mac} CriOS/125 Version/11.1.1 Safari/605.1.15`, 5],
  ['Firefox on an iPhone', `${iphone('17_5')} FxiOS/126.0 Mobile/15E148 Safari/605.1.15`, 5],
  ['Edge on an iPhone', `${iphone('17_5')} Version/17.0 EdgiOS/125.0.2535.60 Mobile/15E148 Safari/605.1.15`, 5],
])('%s: the person is told of Share, then Add to Home Screen', (_browser, userAgent, maxTouchPoints) => {
  expect(hasHomeScreen({ userAgent, maxTouchPoints })).toBe(true);
});

test.each([
  ['Chrome before iOS 16.4', `${iphone('16_3')} CriOS/112.0.5615.46 Mobile/15E148 Safari/604.1`, 5],
  ['Firefox on an iPhone of 2021', `${iphone('15_0')} FxiOS/38.0 Mobile/15E148 Safari/605.1.15`, 5],
  ['the Google app', `${iphone('17_5')} GSA/317.0.634488990 Mobile/15E148 Safari/604.1`, 5],
  ['a link opened within Facebook', `${iphone('17_5')} Mobile/15E148 [FBAN/FBIOS;FBAV/465.0.0;FBDV/iPhone15,2]`, 5],
  [
    'a link opened within Instagram',
    `${iphone('17_5')} Mobile/15E148 Instagram 334.0.0 (iPhone15,2; iOS 17_5; en_NZ)`,
    5,
  ],
  ['Safari on a Mac', `${mac} Version/17.5 Safari/605.1.15`, 0],
  [
    'Chrome on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36',
    0,
  ],
  [
    'Chrome on Android, which has a button',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Mobile Safari/537.36',
    5,
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 14; Mobile; rv:126.0) Gecko/126.0 Firefox/126.0', 5],
])('%s: has no such entry, and the person is told nothing', (_browser, userAgent, maxTouchPoints) => {
  expect(hasHomeScreen({ userAgent, maxTouchPoints })).toBe(false);
});
