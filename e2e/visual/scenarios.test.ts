import { expect, test } from 'vitest';
import { badDayScenarios, goodDayScenarios, inLongRunAlone } from './scenarios.ts';

const scenarios = [...goodDayScenarios, ...badDayScenarios];
const examined = scenarios
  .filter((scenario) => !inLongRunAlone.has(scenario))
  .flatMap(({ screens }) => screens.filter(({ isLike }) => isLike === undefined));

test('a screen state that is left to the long run is like one that is examined on every change', () => {
  const likes = scenarios.flatMap(({ screens }) => screens.flatMap(({ isLike }) => isLike ?? []));
  expect(likes.length).toBeGreaterThan(0);
  const names = new Set(examined.map(({ name }) => name));
  expect(likes.filter((name) => !names.has(name))).toEqual([]);
});

test('no screen state goes on from one that is left to the long run', () => {
  const goOn = scenarios.flatMap(({ screens }) =>
    screens.filter(({ at, isLike }, index) => at === undefined && isLike === undefined && screens[index - 1]?.isLike),
  );
  expect(goOn).toEqual([]);
});
