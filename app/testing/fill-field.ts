import type { UserEvent } from '@testing-library/user-event';

/**
 * Fills in a field at once, for a test that is about something else than the typing: a whole form typed key by key
 * takes a second.
 */
export async function fillField(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}
