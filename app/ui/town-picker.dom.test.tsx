import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { TownPicker, type Town, type TownChoice } from './town-picker.tsx';

const towns: Town[] = [
  { id: 'whangarei', region: 'Northland', town: 'Whangārei' },
  { id: 'waitangi-n', region: 'Northland', town: 'Waitangi' },
  { id: 'waitangi-c', region: 'Chatham Islands', town: 'Waitangi' },
  { id: 'dunedin', region: 'Otago', town: 'Dunedin' },
];

function Picker() {
  const [value, setValue] = useState<TownChoice>({ region: '', locationId: '' });
  return (
    <>
      <TownPicker towns={towns} value={value} onChange={setValue} />
      <p>
        Chosen {value.region} / {value.locationId}
      </p>
    </>
  );
}

const region = () => screen.getByLabelText<HTMLSelectElement>('Region');
const town = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Town' });

test('typed without macrons the town is found and brings its region', async () => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.type(town(), 'whangarei');
  await user.click(await screen.findByRole('option', { name: /Whangārei/ }));
  expect(screen.getByText('Chosen Northland / whangarei')).toBeVisible();
  await waitFor(() => expect(town()).toHaveValue('Whangārei'));
  expect(region()).toHaveValue('Northland');
});

test('two towns of one name are told apart by their region [§settled]', async () => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.type(town(), 'waitangi');
  await user.click(await screen.findByRole('option', { name: /Chatham/ }));
  expect(screen.getByText('Chosen Chatham Islands / waitangi-c')).toBeVisible();
});

test('a region alone is a choice, narrows the towns, and another region drops the town', async () => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.selectOptions(region(), 'Northland');
  expect(screen.getByText('Chosen Northland /')).toBeVisible();
  await user.click(town());
  await user.keyboard('{ArrowDown}');
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Waitangi', 'Whangārei']);
  await user.click(screen.getByRole('option', { name: 'Waitangi' }));
  expect(screen.getByText('Chosen Northland / waitangi-n')).toBeVisible();
  await user.selectOptions(region(), 'Otago');
  expect(screen.getByText('Chosen Otago /')).toBeVisible();
  expect(town()).toHaveValue('');
});

test('clear empties both', async () => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.type(town(), 'dun');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.getByText('Chosen Otago / dunedin')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear location' }));
  expect(screen.getByText('Chosen /')).toBeVisible();
  expect(town()).toHaveValue('');
  expect(region()).toHaveValue('');
});

test('words that name no town leave the choice as it was', async () => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.type(town(), 'sydney');
  expect(await screen.findByText('No town of that name')).toBeVisible();
  await user.tab();
  expect(screen.getByText('Chosen /')).toBeVisible();
});

test.each([
  ['Whangārei', 'Northland / whangarei'],
  [' whangarei ', 'Northland / whangarei'],
  ['Dunedin, Otago', 'Otago / dunedin'],
  ['waitangi, chatham islands', 'Chatham Islands / waitangi-c'],
])('%j, pasted in full, is chosen on the way to the next field', async (pasted, chosen) => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.click(town());
  await user.paste(pasted);
  await user.tab();
  expect(await screen.findByText(`Chosen ${chosen}`)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
});

test('a name that two towns have is not guessed', async () => {
  const user = userEvent.setup();
  render(<Picker />);
  await user.click(town());
  await user.paste('Waitangi');
  await user.tab();
  expect(screen.getByText('Chosen /')).toBeVisible();
});

test('Enter takes the only town left, and sends no form while the list is open', async () => {
  const user = userEvent.setup();
  let sent = 0;
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent += 1;
      }}
    >
      <Picker />
      <button type="submit">Send</button>
    </form>,
  );
  await user.type(town(), 'wait{Enter}');
  expect(screen.getByText('Chosen /')).toBeVisible();
  await user.clear(town());
  await user.type(town(), 'dun{Enter}');
  expect(screen.getByText('Chosen Otago / dunedin')).toBeVisible();
  expect(town()).toHaveValue('Dunedin');
  expect(sent).toBe(0);
  await user.keyboard('{Enter}');
  expect(sent).toBe(1);
});
