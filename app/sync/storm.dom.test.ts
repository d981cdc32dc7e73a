import { test } from 'vitest';
import { runStorm } from '../testing/fuzz.ts';

/** A seed that failed is kept as a test: add it to `seeds` with what it showed. */
const seeds = Array.from({ length: 200 }, (_none, at) => at + 1);

test.each(seeds)(
  'seed %i: nothing lost, nothing twice, nothing vanishes, all phones agree in the end (I1-I5, I7-I10, I15, I16)',
  (seed) => runStorm(seed, 60),
);
