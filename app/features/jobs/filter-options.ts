import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { urgencyLabels, type Urgency } from '../../words/urgency.ts';

interface Option {
  /** Ids, with commas between them. */
  readonly value: string;
  readonly label: string;
}

/** What is chosen is among the options, whatever a saved search or an address has chosen. */
const withChosen = (options: readonly Option[], chosen: Option): readonly Option[] =>
  chosen.value === '' || options.some(({ value }) => value === chosen.value) ? options : [chosen, ...options];

/** `Roofer`, `Roofer and Builder`, `Roofer and 2 more`; a trade that the lists have no more has no name. */
export function tradeWords(
  ids: readonly string[],
  { categoryName }: Pick<ReferenceLists, 'categoryName'>,
): string | undefined {
  const names = ids.flatMap((id) => categoryName(id) ?? []);
  const [first, second] = names;
  if (first === undefined) return ids.length === 0 ? undefined : 'A trade that is gone';
  return second === undefined ? first : `${first} and ${names.length === 2 ? second : `${names.length - 1} more`}`;
}

/** All of the tradie's own trades in one, then each by itself. */
export function tradeOptions(
  chosen: readonly string[],
  own: readonly string[],
  lists: Pick<ReferenceLists, 'categories' | 'categoryName'>,
): readonly Option[] {
  const mine = own.length > 1 ? [{ value: own.join(','), label: `My trades (${own.length})` }] : [];
  const each = lists.categories.map(({ id, name }) => ({ value: id, label: name }));
  return withChosen([...mine, ...each], { value: chosen.join(','), label: tradeWords(chosen, lists) ?? '' });
}

export function urgencyWords(chosen: readonly Urgency[]): string | undefined {
  if (chosen.length === 0) return undefined;
  return chosen
    .map((one) => (chosen.length === 1 ? urgencyLabels[one] : (urgencyLabels[one].split(' - ')[0] ?? one)))
    .join(' or ');
}

export function urgencyOptions(chosen: readonly Urgency[]): readonly Option[] {
  const some: readonly (readonly Urgency[])[] = [['urgent'], ['soon', 'urgent'], ['soon'], ['slow']];
  const optionOf = (one: readonly Urgency[]) => ({ value: one.join(','), label: urgencyWords(one) ?? '' });
  return withChosen(some.map(optionOf), optionOf(chosen));
}
