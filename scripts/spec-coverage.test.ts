import { expect, test } from 'vitest';
import { sections, sectionsIn, taggedTests } from './spec-sections.ts';

test('each section of the specification is seen by a test, and a title names no other', async () => {
  const tagged = await taggedTests();
  expect([...tagged.keys()].filter((section) => !sections.includes(section))).toEqual([]);
  expect(sections.filter((section) => (tagged.get(section) ?? []).length === 0)).toEqual([]);
  // Nearly three hundred tests name four hundred sections: far fewer are a sign that titles lost their tags.
  expect([...tagged.values()].flat().length).toBeGreaterThan(350);
});

test('the sections of a title are those in its last brackets', () => {
  expect(sectionsIn('opens [§2 /find-jobs, §8]')).toEqual(['2 /find-jobs', '8']);
  expect(sectionsIn('a cookie is kept [S5, P9]')).toEqual([]);
});
