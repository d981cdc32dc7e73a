import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Slider } from './slider.tsx';

const dollars = (value: number) => `$${value.toLocaleString('en-NZ')}${value === 50_000 ? '+' : ''}`;

function Budget() {
  const [value, setValue] = useState(10_000);
  return (
    <>
      <Slider
        label="Max budget"
        value={value}
        onChange={setValue}
        min={0}
        max={50_000}
        step={500}
        format={dollars}
        prefix="$"
      />
      <p>Asked for {value}</p>
    </>
  );
}

test('arrow keys move it a step', async () => {
  const user = userEvent.setup();
  render(<Budget />);
  screen.getByRole('slider', { name: 'Max budget' }).focus();
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}');
  expect(screen.getByText('Asked for 10500')).toBeVisible();
});

test.each([
  { typed: '12345', asked: 12_500, shown: '12,500' },
  { typed: '99999', asked: 50_000, shown: '50,000' },
  { typed: '$7,000', asked: 7_000, shown: '7,000' },
  { typed: 'nothing', asked: 10_000, shown: '10,000' },
])('typing $typed asks for $asked', async ({ typed, asked, shown }) => {
  const user = userEvent.setup();
  render(<Budget />);
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Max budget, type a number' });
  await user.clear(box);
  await user.type(box, `${typed}{Enter}`);
  expect(screen.getByText(`Asked for ${asked}`)).toBeVisible();
  expect(box).toHaveValue(shown);
});

test('what is half typed changes nothing until it is left', async () => {
  const user = userEvent.setup();
  render(<Budget />);
  const box = screen.getByRole('textbox', { name: 'Max budget, type a number' });
  await user.clear(box);
  await user.type(box, '2');
  expect(screen.getByText('Asked for 10000')).toBeVisible();
  await user.type(box, '0000');
  await user.tab();
  expect(screen.getByText('Asked for 20000')).toBeVisible();
});

test('speaks of money as people here do, whatever the browser’s language is', () => {
  expect(navigator.language).not.toBe('en-NZ');
  render(
    <Slider
      label="Max budget"
      value={10_000}
      onChange={() => undefined}
      min={0}
      max={50_000}
      step={500}
      format={dollars}
      spokenAs={{ style: 'currency', currency: 'NZD', maximumFractionDigits: 0 }}
    />,
  );
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '$10,000');
});
