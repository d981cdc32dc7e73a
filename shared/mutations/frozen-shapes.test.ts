import { expect, test } from 'vitest';
import shapes from './frozen-shapes.json' with { type: 'json' };
import { mutationNames, mutations, type MutationName } from './index.ts';

// Old phones carry these in their outbox. Add a line when a shape grows; never change or remove one before its 180 days
// are over.
test.each(shapes.map((shape, line) => [line + 1, shape] as const))(
  '[S6] shape %i is still taken',
  (_line, { name, args }) => {
    expect(mutations[name as MutationName].args.safeParse(args).success).toBe(true);
  },
);

test('[S6] every mutation has a frozen shape', () => {
  expect([...new Set(shapes.map((shape) => shape.name))].toSorted()).toEqual(mutationNames.toSorted());
});
