import { render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test, vi } from 'vitest';
import userEvent from '@testing-library/user-event';
import { createToasts } from './create-toasts.ts';
import { Page } from './page.tsx';
import { UiProvider } from './ui-provider.tsx';

const at = (title: string) => (
  <StrictMode>
    <UiProvider backCloses={() => () => undefined} navigate={() => undefined} toasts={createToasts()}>
      <Page key={title} title={title}>
        {null}
      </Page>
    </UiProvider>
  </StrictMode>
);

test('the first page leaves the focus alone, the next takes it to its heading, and each names the tab', () => {
  const { rerender } = render(at('Dashboard'));
  expect(document.body).toHaveFocus();
  expect(document.title).toBe('Dashboard · Dwang');
  rerender(at('Post a Job'));
  expect(screen.getByRole('heading', { level: 1, name: 'Post a Job' })).toHaveFocus();
  expect(document.title).toBe('Post a Job · Dwang');
});

test('the back button goes back', async () => {
  const onBack = vi.fn();
  render(
    <Page title="Post a Job" onBack={onBack}>
      {null}
    </Page>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(onBack).toHaveBeenCalledOnce();
});
