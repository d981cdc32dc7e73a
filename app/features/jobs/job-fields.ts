import type { ArgsOf } from '../../../shared/mutations/index.ts';
import type { Job } from '../../../shared/tables/index.ts';
import type { Edited, RowForm } from '../../lib/row-form.ts';
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

/** Fields that the mutations call otherwise. */
export const jobAliases = { budget: 'budgetMax' } as const;

/** What an edit may change. */
export type EditBase = Pick<Job, 'title' | 'description' | 'locationId' | 'budgetMax' | 'urgency' | 'categoryId'>;

export interface EditJobDraft extends Edited<EditBase, PostJobFields> {
  /** Addresses or paths of photos that were there and are to go. */
  readonly removed: readonly string[];
}

type RegionOf = (locationId: string) => string | undefined;

/** A budget that is no number reads as `NaN`, which is a problem of that field. */
export const jobForm = (regionOf: RegionOf): RowForm<EditBase, PostJobFields> => ({
  columns: ['title', 'description', 'locationId', 'budgetMax', 'urgency', 'categoryId'],
  show: ({ budgetMax, locationId, title, description, urgency, categoryId }) => ({
    title,
    description,
    region: regionOf(locationId ?? '') ?? '',
    locationId: locationId ?? '',
    budget: String(budgetMax ?? ''),
    urgency,
    categoryId,
  }),
  read: ({ budget, locationId, urgency, title, description, categoryId }) => ({
    title: title.trim(),
    description: description.trim(),
    locationId: locationId === '' ? null : locationId,
    budgetMax: budget.trim() === '' ? null : Number(budget),
    urgency: urgency as Urgency,
    categoryId,
  }),
  shownBy: { budgetMax: ['budget'], locationId: ['region', 'locationId'] },
});

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

/** Asks the same as for a new job; one that names its place by hand, as older ones do, may go on doing so. */
export function missingOfEdit({ fields, base }: EditJobDraft): string[] {
  return missingOf(
    base.locationId === null && fields.locationId === '' ? { ...fields, locationId: 'by hand' } : fields,
  );
}

/** The mutation's args for a new job. */
export function argsOfPost(id: string, fields: PostJobFields): ArgsOf<'job.post'> {
  const { locationId, ...rest } = jobForm(() => undefined).read(fields);
  return { id, ...rest, locationId: locationId ?? '' };
}
