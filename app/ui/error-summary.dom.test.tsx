import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { CheckboxGrid } from './checkbox-grid.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { Select } from './select.tsx';
import { TextField } from './text-field.tsx';
import { TownPicker } from './town-picker.tsx';

const problems = [
  { fieldId: 'title', message: 'Add a title' },
  { fieldId: 'category', message: 'Choose a category' },
  { fieldId: 'town', message: 'Choose a town' },
  { fieldId: 'trades', message: 'Choose at least one trade' },
];

function Form() {
  const [attempt, setAttempt] = useState(0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAttempt(attempt + 1);
      }}
    >
      <ErrorSummary attempt={attempt} problems={attempt > 0 ? problems : []} />
      <TextField id="title" label="Title" value="" error="Add a title" />
      <Select
        id="category"
        label="Category"
        value=""
        onChange={() => undefined}
        options={[{ value: 'builder', label: 'Builder' }]}
        error="Choose a category"
      />
      <TownPicker
        id="town"
        towns={[]}
        value={{ region: '', locationId: '' }}
        onChange={() => undefined}
        error="Choose a town"
      />
      <CheckboxGrid
        id="trades"
        label="Trades"
        value={[]}
        onChange={() => undefined}
        options={[{ value: 'builder', label: 'Builder' }]}
        error="Choose at least one trade"
      />
      <button type="submit">Post Job</button>
    </form>
  );
}

test('every failed try brings the focus to the summary', async () => {
  const user = userEvent.setup();
  render(<Form />);
  await user.click(screen.getByRole('button', { name: 'Post Job' }));
  expect(document.activeElement).toHaveTextContent('4 things to fix');
  await user.click(screen.getByRole('button', { name: 'Post Job' }));
  expect(document.activeElement).toHaveTextContent('4 things to fix');
});

test('each line leads into its field, whatever kind it is', async () => {
  const user = userEvent.setup();
  render(<Form />);
  await user.click(screen.getByRole('button', { name: 'Post Job' }));
  await user.click(screen.getByRole('link', { name: 'Add a title' }));
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveFocus();
  await user.click(screen.getByRole('link', { name: 'Choose a category' }));
  expect(screen.getByLabelText('Category')).toHaveFocus();
  await user.click(screen.getByRole('link', { name: 'Choose a town' }));
  expect(screen.getByRole('combobox', { name: 'Town' })).toHaveFocus();
  await user.click(screen.getByRole('link', { name: 'Choose at least one trade' }));
  expect(screen.getByRole('checkbox', { name: 'Builder' })).toHaveFocus();
});

test('a field says its error as part of its description', () => {
  render(<Form />);
  const described = (element: HTMLElement) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ');
  expect(described(screen.getByRole('textbox', { name: 'Title' }))).toContain('Add a title');
  expect(described(screen.getByLabelText('Category'))).toContain('Choose a category');
  expect(described(screen.getByRole('combobox', { name: 'Town' }))).toContain('Choose a town');
});
