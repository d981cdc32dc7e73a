import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { initialsOf } from './avatar.tsx';
import { Button } from './button.tsx';
import { FormMissing } from './form-missing.tsx';
import { MoneyField } from './money-field.tsx';
import { StateBar } from './state-bar.tsx';

test.each([
  ['Kererū Building Ltd', 'KB'],
  ['ōpōtiki', 'ŌP'],
  ['A', 'A'],
  ["O'Brien & Sons", 'OB'],
  ['', ''],
])('%s has the initials %s [§2 /find-tradies, §9]', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('the line beside a button that is off says what is missing, and nothing when nothing is', () => {
  const { rerender } = render(
    <FormMissing action="To post" missing={['add a title', 'add a description', 'choose a town']} />,
  );
  expect(screen.getByRole('status').textContent).toBe('To post: add a title, add a description and choose a town');
  rerender(<FormMissing action="To post" missing={[]} />);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('the state bar is a status before there is anything to say', () => {
  const { rerender } = render(<StateBar kind="online" />);
  const bar = screen.getByRole('status');
  expect(bar).toBeEmptyDOMElement();
  rerender(<StateBar kind="offline">Offline. 2 changes waiting.</StateBar>);
  expect(screen.getByRole('status')).toBe(bar);
  expect(bar.textContent).toBe('Offline. 2 changes waiting.');
});

test('a busy button keeps the focus, says what it does, and ignores presses', async () => {
  const user = userEvent.setup();
  const onPress = vi.fn();
  const { rerender } = render(<Button onPress={onPress}>Continue to Payment</Button>);
  await user.click(screen.getByRole('button', { name: 'Continue to Payment' }));
  rerender(
    <Button onPress={onPress} isBusy busyText="Processing...">
      Continue to Payment
    </Button>,
  );
  const busy = screen.getByRole('button', { name: 'Processing...' });
  expect(busy).toHaveFocus();
  await user.click(busy);
  expect(onPress).toHaveBeenCalledOnce();
});

test('money pasted with dollar sign and commas keeps its digits', async () => {
  const onChange = vi.fn();
  render(<MoneyField label="Budget max" value="" onChange={onChange} />);
  await userEvent.click(screen.getByLabelText('Budget max'));
  await userEvent.paste('$12,500.50 ');
  expect(onChange).toHaveBeenCalledWith('12500.50');
});
