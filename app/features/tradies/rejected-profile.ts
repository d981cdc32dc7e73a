import type { Tradie } from '../../../shared/tables/index.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { baseFields, baseOf, formOf, type ProfileBase, type ProfileForm, type ProfileSet } from './profile-form.ts';
import type { Conflict } from './stale-choice.tsx';

/** The form's values, and the profile as it was when the person began. */
export interface ProfileDraft {
  readonly form: ProfileForm;
  readonly base: ProfileBase;
}

interface EditArgs {
  readonly set?: ProfileSet & { logo?: string };
  readonly base?: Partial<ProfileBase>;
}

const argsOf = (rejected: RejectedEntry) => rejected.args as EditArgs;

/** Opens the form with what was typed when the server rejected it; nothing written may be out of reach. */
export function beginFromRejected(tradie: Tradie, rejected: RejectedEntry, lists: ReferenceLists): ProfileDraft {
  const { set = {}, base = {} } = argsOf(rejected);
  const here = baseOf(tradie);
  return { form: formOf({ ...here, ...set }, lists), base: { ...here, ...base } };
}

/** The address of a logo that was sent with the rejected edit, where storage still has it. */
export function leftLogoOf(rejected: RejectedEntry | undefined): string | undefined {
  return rejected === undefined || rejected.code === 'file-missing' ? undefined : argsOf(rejected).set?.logo;
}

/** The fields that were changed elsewhere meanwhile, with both values; none for a rejection of another kind. */
export function conflictsOf(rejected: RejectedEntry | undefined): Conflict[] {
  if (rejected === undefined || rejected.code !== 'stale' || rejected.fields === null) return [];
  const { set = {} } = argsOf(rejected);
  return Object.entries(rejected.fields).map(([field, text]) => ({
    field: field as Conflict['field'],
    theirs: JSON.parse(text) as unknown,
    mine: set[field as keyof ProfileSet],
  }));
}

/** The draft with the other values in the fields that clashed; the rest of what was typed stays. */
export function takeTheirs(draft: ProfileDraft, conflicts: readonly Conflict[], lists: ReferenceLists): ProfileDraft {
  const theirs = Object.fromEntries(
    conflicts
      .filter(({ field }) => baseFields.includes(field as keyof ProfileBase))
      .map(({ field, theirs: value }) => [field, value]),
  );
  const base: ProfileBase = { ...draft.base, ...theirs };
  const shown = formOf(base, lists);
  const form = { ...draft.form };
  for (const { field } of conflicts) {
    if (field === 'locationId') Object.assign(form, { place: shown.place });
    else if (field !== 'logo') Object.assign(form, { [field]: shown[field] });
  }
  return { form, base };
}
