import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { PhotoPicker, type PickedPhoto } from './photo-picker.tsx';

const ready = (id: string): PickedPhoto => ({ id, name: `${id}.jpg`, url: `/${id}.jpg`, state: 'ready' });
const file = (name: string) => new File(['x'], name, { type: 'image/jpeg' });

function openPicker(photos: PickedPhoto[]) {
  const onAdd = vi.fn<(files: File[]) => void>();
  const onRemove = vi.fn<(id: string) => void>();
  render(<PhotoPicker photos={photos} onAdd={onAdd} onRemove={onRemove} />);
  const input = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  return { onAdd, onRemove, input };
}

test('one way opens the camera at the back, the other the photos already there [§offline]', () => {
  const { input } = openPicker([]);
  expect(input('Take photo')).toHaveAttribute('capture', 'environment');
  expect(input('Take photo').multiple).toBe(false);
  expect(input('Choose photos')).not.toHaveAttribute('capture');
  expect(input('Choose photos').multiple).toBe(true);
  expect(input('Choose photos').accept).toBe('image/jpeg,image/png,image/webp');
});

test('says how far the photos are', () => {
  openPicker([ready('a'), ready('b'), ready('c'), { id: 'd', name: 'd.jpg', state: 'preparing' }]);
  expect(screen.getByText('3 of 4 photos added')).toBeVisible();
});

test('takes no more than fit, and says so', () => {
  const { onAdd, input } = openPicker([ready('a'), ready('b'), ready('c')]);
  fireEvent.change(input('Choose photos'), {
    target: { files: [file('1.jpg'), file('2.jpg'), file('3.jpg'), file('4.jpg')] },
  });
  expect(onAdd.mock.calls[0]?.[0].map((picked) => picked.name)).toEqual(['1.jpg', '2.jpg']);
  expect(screen.getByText(/2 more did not fit/)).toBeVisible();
});

test('with five photos both ways in are closed', () => {
  const { input } = openPicker(['a', 'b', 'c', 'd', 'e'].map(ready));
  expect(input('Take photo')).toBeDisabled();
  expect(input('Choose photos')).toBeDisabled();
});

test('each photo can be removed by its own button, and a failed one says why', async () => {
  const { onRemove } = openPicker([
    ready('deck'),
    { id: 'steps', name: 'steps.heic', state: 'failed', problem: 'This photo could not be read' },
  ]);
  expect(screen.getByText('This photo could not be read')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Remove photo 2: steps.heic' }));
  expect(onRemove).toHaveBeenCalledWith('steps');
});

test('what was not added is said in a sentence of its own, after how many were', () => {
  const { input } = openPicker([ready('deck')]);
  const pdf = new File(['x'], 'quote.pdf', { type: 'application/pdf' });
  fireEvent.change(input('Choose photos'), { target: { files: [pdf] } });
  expect(screen.getByText('1 photo added. Not a photo, so not added: quote.pdf.')).toBeVisible();
});

test('a PDF picked past the filter is no photo, and that is said at once; a file without a type may be one', () => {
  const { onAdd, input } = openPicker([]);
  const pdf = new File(['x'], 'quote.pdf', { type: 'application/pdf' });
  const untyped = new File(['x'], 'IMG_1.heic');
  fireEvent.change(input('Choose photos'), { target: { files: [pdf, file('1.jpg'), untyped] } });
  expect(onAdd.mock.calls[0]?.[0].map((picked) => picked.name)).toEqual(['1.jpg', 'IMG_1.heic']);
  expect(screen.getByText(/Not a photo, so not added: quote\.pdf\./)).toBeVisible();
  fireEvent.change(input('Choose photos'), { target: { files: [pdf] } });
  expect(onAdd).toHaveBeenCalledOnce();
});
