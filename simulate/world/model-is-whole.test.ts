import { expect, test } from 'vitest';
import { mutationNames } from '../../shared/mutations/index.ts';
import { modelledMutations } from '../model/decide.ts';

test('the model knows every mutation of the product, and no other', () => {
  expect(modelledMutations.toSorted()).toEqual(mutationNames.toSorted());
});
