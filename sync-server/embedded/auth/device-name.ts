/** The first match counts: most browsers name others besides themselves. */
const browsers: readonly (readonly [sign: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const systems: readonly (readonly [sign: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Macintosh', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/**
 * Browser and system of a User-Agent in plain words: `Chrome on Android`. '' where it says neither; nothing else of it
 * is kept.
 */
export function deviceName(userAgent: string): string {
  const named = (list: typeof browsers) => list.find(([sign]) => userAgent.includes(sign))?.[1];
  return [named(browsers), named(systems)].filter((name) => name !== undefined).join(' on ');
}
