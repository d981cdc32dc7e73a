import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { PhotoLightbox } from './photo-lightbox.tsx';
import { PhotoStrip } from './photo-strip.tsx';

const photos = [
  { url: '/a.jpg', alt: 'The deck' },
  { url: '/b.jpg', alt: 'The joist' },
  { url: '/c.jpg', alt: 'The steps' },
];

function Photos() {
  const [index, setIndex] = useState<number>();
  return (
    <>
      <PhotoStrip photos={photos} onEnlarge={setIndex} />
      <PhotoLightbox photos={photos} index={index} onIndexChange={setIndex} />
    </>
  );
}

test('a photo is enlarged, arrow keys go round them, Escape brings the focus back [§2 /job/{id}]', async () => {
  const user = userEvent.setup();
  render(<Photos />);
  const opener = screen.getByRole('button', { name: 'Enlarge photo 2 of 3' });
  await user.click(opener);
  const dialog = await screen.findByRole('dialog', { name: 'Photo 2 of 3' });
  expect(within(dialog).getByRole('img', { name: 'The joist' })).toBeVisible();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(screen.getByRole('dialog', { name: 'Photo 1 of 3' })).toBeVisible();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('dialog', { name: 'Photo 3 of 3' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(opener).toHaveFocus());
});

test('on a card only the first few are shown and the rest are counted', () => {
  render(<PhotoStrip photos={photos} limit={2} />);
  expect(screen.getAllByRole('img')).toHaveLength(2);
  expect(screen.getAllByRole('listitem')[1]).toHaveAttribute('data-more', '+1');
});
