import { lazily } from '../../shared/lib/lazily.ts';

const format = lazily(() => new Intl.ListFormat('en-NZ', { type: 'conjunction' }));

/** `Otago`, `Otago and Southland`, `Nelson, Otago and Southland`. */
export function listed(items: readonly string[]): string {
  return format().format(items);
}
