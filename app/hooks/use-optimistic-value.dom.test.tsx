import { act, cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { useOptimisticValue } from './use-optimistic-value.ts';

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

function Field({ settled, settle }: { readonly settled: string; readonly settle: (next: string) => void }) {
  const [value, change] = useOptimisticValue(settled, settle);
  return <input aria-label="Search" value={value} onChange={(event) => change(event.target.value)} />;
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' });

test('typing loses no letter while the address lags behind, and the address follows after a pause', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const settle = vi.fn();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const { rerender } = render(<Field settled="" settle={settle} />);
  await user.type(field(), 'roof');
  rerender(<Field settled="r" settle={settle} />);
  expect(field()).toHaveValue('roof');
  act(() => void vi.advanceTimersByTime(400));
  expect(settle.mock.calls).toEqual([['roof']]);
  rerender(<Field settled="roof" settle={settle} />);
  expect(field()).toHaveValue('roof');
});

test('the back button is followed', () => {
  const { rerender } = render(<Field settled="roof" settle={() => undefined} />);
  rerender(<Field settled="" settle={() => undefined} />);
  expect(field()).toHaveValue('');
});

test('a navigation before the pause takes the chosen value with it, once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const settle = vi.fn();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  render(
    <>
      <Field settled="" settle={settle} />
      <a href="#job">A job</a>
    </>,
  );
  await user.type(field(), 'barn');
  await user.tab();
  expect(settle.mock.calls).toEqual([['barn']]);
  await user.type(field(), 's');
  await user.pointer({ keys: '[MouseLeft>]', target: screen.getByRole('link') });
  expect(settle.mock.calls).toEqual([['barn'], ['barns']]);
  act(() => void vi.advanceTimersByTime(400));
  expect(settle).toHaveBeenCalledTimes(2);
});
