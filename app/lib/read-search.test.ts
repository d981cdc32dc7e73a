import { expect, test } from 'vitest';
import { parseSearch, readFlag, readNumber, stringifySearch } from './read-search.ts';

test('what a person searched for is the same text when its address is opened again', () => {
  for (const q of ['1e3', '007', 'true', '{}', '"deck"', '9429041234567890123', '[1]', 'a&b=c', 'null', ' ', ''])
    expect(parseSearch(stringifySearch({ q }))).toEqual({ q });
});

test('of a filter that an address names twice the first counts', () => {
  expect(parseSearch('?q=deck&region=Otago&q=roof')).toEqual({ q: 'deck', region: 'Otago' });
});

test('numbers and truths come back, and what is undefined leaves no trace', () => {
  expect(stringifySearch({ sort: undefined })).toBe('');
  const search = parseSearch(stringifySearch({ within: 25, map: true, sort: undefined, hidden: false }));
  expect(search).toEqual({ within: '25', map: 'true', hidden: 'false' });
  expect(readNumber(search['within'], { min: 1, max: 50 })).toBe(25);
  expect([readFlag(search['map']), readFlag(search['hidden']), readFlag('yes')]).toEqual([true, false, undefined]);
  for (const none of ['', ' ', '60', 'x', null, true]) expect(readNumber(none, { min: 0, max: 50 })).toBeUndefined();
});
