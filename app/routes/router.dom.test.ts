import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { pages } from '../../shared/routes.ts';
import { createAppRouter } from './router.tsx';

test('every page of the list has its route', () => {
  const { routesByPath } = createAppRouter(createMemoryHistory());
  expect(Object.keys(routesByPath).toSorted()).toEqual([...Object.keys(pages), '/dev/ui'].toSorted());
});
