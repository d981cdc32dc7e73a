import { mutations, type ArgsOf } from '../../../shared/mutations/index.ts';
import type { Urgency } from '../../words/urgency.ts';

/** The form's values, as typed. */
export interface PostJobFields {
  readonly title: string;
  readonly description: string;
  readonly region: string;
  readonly locationId: string;
  /** Dollars as typed; '' for none. */
  readonly budget: string;
  readonly urgency: Urgency | '';
  readonly categoryId: string;
}

export const blankFields: PostJobFields = {
  title: '',
  description: '',
  region: '',
  locationId: '',
  budget: '',
  urgency: '',
  categoryId: '',
};

/** What is still missing, in the words of the line beside the disabled button. */
export function missingOf(fields: PostJobFields): string[] {
  return [
    fields.title.trim() === '' ? 'add a title' : '',
    fields.description.trim() === '' ? 'add a description' : '',
    fields.locationId === '' ? 'choose a town' : '',
    fields.urgency === '' ? 'say how urgent it is' : '',
    fields.categoryId === '' ? 'choose a category' : '',
  ].filter(Boolean);
}

type PostArgs = ArgsOf<'job.post'>;

/** The mutation's args; with the fields' problems where they are not valid. Field names are the form's. */
export function readFields(
  id: string,
  fields: PostJobFields,
): { args: PostArgs } | { problems: Partial<Record<keyof PostJobFields, string>> } {
  const args = {
    id,
    title: fields.title,
    description: fields.description,
    locationId: fields.locationId,
    budgetMax: fields.budget.trim() === '' ? null : Number(fields.budget),
    urgency: fields.urgency as Urgency,
    categoryId: fields.categoryId,
  };
  const parsed = mutations['job.post'].args.safeParse(args);
  if (parsed.success) return { args };
  const issues = parsed.error.issues.map(
    ({ path, message }) => [path[0] === 'budgetMax' ? 'budget' : String(path[0]), message] as const,
  );
  return { problems: Object.fromEntries(issues.toReversed()) };
}

/** A rejection's fields, under the form's names. */
export function problemsOfRejection(
  fields: Readonly<Record<string, string>> | null,
): Partial<Record<keyof PostJobFields, string>> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, message]) => [name === 'budgetMax' ? 'budget' : name, message]),
  );
}

/** A queued or rejected job back in the form. */
export function fieldsOf(args: unknown, regionOf: (locationId: string) => string | undefined): PostJobFields {
  const job = args as PostArgs;
  return {
    title: job.title,
    description: job.description,
    region: regionOf(job.locationId) ?? '',
    locationId: job.locationId,
    budget: job.budgetMax === null || job.budgetMax === undefined ? '' : String(job.budgetMax),
    urgency: job.urgency,
    categoryId: job.categoryId,
  };
}
