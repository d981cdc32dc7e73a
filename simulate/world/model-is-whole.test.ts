import { expect, test } from 'vitest';
import { mutationNames } from '../../shared/mutations/index.ts';
import { judgedMutations } from '../model/decide.ts';

test('the model knows every mutation of the product, and no other', () => {
  expect(judgedMutations.toSorted()).toEqual(mutationNames.toSorted());
});
