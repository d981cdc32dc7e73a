import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { Avatar } from './avatar.tsx';

afterEach(cleanup);

test('a logo that cannot come, as without signal, leaves the initials, and is asked for again with the signal', () => {
  const { container } = render(<Avatar name="Harbour Light Electrical" src="tradie-logos/light.png" />);
  const logo = must(container.querySelector('img'), 'the logo');
  expect(screen.queryByText('HL')).toBeNull();
  fireEvent.error(logo);
  expect(screen.getByText('HL')).toBeVisible();
  expect(container.querySelector('img')).toBeNull();
  fireEvent(window, new Event('online'));
  expect(container.querySelector('img')).not.toBeNull();
  expect(screen.queryByText('HL')).toBeNull();
});
