import { mutations, type ArgsOf } from '../../../shared/mutations/index.ts';
import type { Job } from '../../../shared/tables/index.ts';
import { fieldsOf, missingOf, type PostJobFields } from './post-job-fields.ts';

/** What an edit may change, as it was when the person began. */
export type EditBase = Pick<Job, 'title' | 'description' | 'locationId' | 'budgetMax' | 'urgency' | 'categoryId'>;
export type EditSet = Partial<EditBase>;
type RegionOf = (locationId: string) => string | undefined;
type Problems = Partial<Record<keyof PostJobFields, string>>;

export interface EditJobDraft {
  readonly fields: PostJobFields;
  readonly base: EditBase;
  /** Addresses or paths of photos that were there and are to go. */
  readonly removed: readonly string[];
}

const baseFields = [
  'title',
  'description',
  'locationId',
  'budgetMax',
  'urgency',
  'categoryId',
] as const satisfies readonly (keyof EditBase)[];

const pick = (from: EditBase, fields: readonly string[]): EditSet =>
  Object.fromEntries(baseFields.filter((field) => fields.includes(field)).map((field) => [field, from[field]]));

export const baseOf = (job: EditBase): EditBase => pick(job, baseFields) as EditBase;

export function formOf(base: EditBase, regionOf: RegionOf): PostJobFields {
  return fieldsOf({ ...base, locationId: base.locationId ?? '' }, regionOf);
}

/** A form to begin with: the job as it is, or as a rejected edit would have it. */
export function beginEdit(job: EditBase, refusedArgs: unknown, regionOf: RegionOf): EditJobDraft {
  const { set = {}, base = {} } = (refusedArgs ?? {}) as { set?: EditSet; base?: EditSet };
  const here = baseOf(job);
  return { fields: formOf({ ...here, ...set }, regionOf), base: { ...here, ...base }, removed: [] };
}

/** Only what the person changed. A budget that is no number comes out as `NaN`, which is a problem of that field. */
export function changesOf({ fields, base }: Pick<EditJobDraft, 'fields' | 'base'>): EditSet {
  const wanted = {
    title: fields.title.trim(),
    description: fields.description.trim(),
    locationId: fields.locationId === '' ? null : fields.locationId,
    budgetMax: fields.budget.trim() === '' ? null : Number(fields.budget),
    urgency: fields.urgency as EditBase['urgency'],
    categoryId: fields.categoryId,
  };
  const stood = { ...base, title: base.title.trim(), description: base.description.trim() };
  return pick(
    wanted,
    baseFields.filter((field) => wanted[field] !== stood[field]),
  );
}

/** As for a new job; one that names its place by hand, as older ones do, may go on doing so. */
export function missingOfEdit({ fields, base }: EditJobDraft): string[] {
  return missingOf(
    base.locationId === null && fields.locationId === '' ? { ...fields, locationId: 'by hand' } : fields,
  );
}

/** The mutation's args; with the problems of the changed fields where they are not valid. */
export function readEdit(id: string, draft: EditJobDraft): { args: ArgsOf<'job.edit'> } | { problems: Problems } {
  const set = changesOf(draft);
  const args = { id, set, base: pick(draft.base, Object.keys(set)) } as ArgsOf<'job.edit'>;
  const parsed = mutations['job.edit'].args.safeParse(args);
  if (parsed.success) return { args };
  const issues = parsed.error.issues.map(
    ({ path, message }) => [path[1] === 'budgetMax' ? 'budget' : String(path[1]), message] as const,
  );
  return { problems: Object.fromEntries(issues.toReversed()) };
}

/** Puts what was changed elsewhere into the form: where the person typed nothing, the job as it is now is shown. */
export function rebase(draft: EditJobDraft, job: EditBase, regionOf: RegionOf): EditJobDraft {
  const mine = Object.keys(changesOf(draft));
  const moved = baseFields.filter((field) => !mine.includes(field) && job[field] !== draft.base[field]);
  return moved.length === 0 ? draft : takeTheirs(draft, pick(job, moved), regionOf);
}

/** The current values of the fields that both sides have changed; none where both came to the same. */
export function conflictsOf(draft: EditJobDraft, job: EditBase): EditSet {
  const mine = changesOf(draft);
  return pick(
    job,
    Object.keys(mine).filter(
      (field) =>
        job[field as keyof EditBase] !== draft.base[field as keyof EditBase] &&
        job[field as keyof EditBase] !== mine[field as keyof EditBase],
    ),
  );
}

/** The person's own values stay, and `base` becomes the current ones. */
export const keepMine = (draft: EditJobDraft, theirs: EditSet): EditJobDraft => ({
  ...draft,
  base: { ...draft.base, ...theirs },
});

/** The other values in these fields; the rest of what was typed stays. */
export function takeTheirs(draft: EditJobDraft, theirs: EditSet, regionOf: RegionOf): EditJobDraft {
  const base = { ...draft.base, ...theirs };
  const shown = formOf(base, regionOf);
  const fields = { ...draft.fields };
  for (const field of Object.keys(theirs)) {
    if (field === 'budgetMax') fields.budget = shown.budget;
    else if (field === 'locationId') Object.assign(fields, { region: shown.region, locationId: shown.locationId });
    else Object.assign(fields, { [field]: shown[field as keyof PostJobFields] });
  }
  return { ...draft, fields, base };
}
