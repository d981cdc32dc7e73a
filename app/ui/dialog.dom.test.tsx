import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './text-field.tsx';

function Opener({ isDismissable = true, onBack }: { readonly isDismissable?: boolean; readonly onBack?: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Open</Button>
      <Dialog
        title="Sign in"
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        isDismissable={isDismissable}
        {...(onBack === undefined ? {} : { onBack })}
      >
        <TextField label="Email" value="" onChange={() => undefined} />
      </Dialog>
    </>
  );
}

test('the dialog takes the focus, is named by its title, and gives the focus back on Escape', async () => {
  const user = userEvent.setup();
  render(<Opener />);
  const opener = screen.getByRole('button', { name: 'Open' });
  await user.click(opener);
  const dialog = await screen.findByRole('dialog', { name: 'Sign in' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(opener).toHaveFocus());
});

test('Tab goes round inside and never reaches the page behind', async () => {
  const user = userEvent.setup();
  render(<Opener />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = await screen.findByRole('dialog');
  for (let press = 0; press < 5; press += 1) {
    await user.tab();
    expect(dialog.contains(document.activeElement)).toBe(true);
  }
});

test('the cross closes; the back button goes back and leaves it open', async () => {
  const user = userEvent.setup();
  const onBack = vi.fn();
  render(<Opener onBack={onBack} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(await screen.findByRole('button', { name: 'Back' }));
  expect(onBack).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('one that is not dismissable stays on Escape and shows no cross', async () => {
  const user = userEvent.setup();
  render(<Opener isDismissable={false} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});
