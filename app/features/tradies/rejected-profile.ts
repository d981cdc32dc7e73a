import type { Tradie } from '../../../shared/tables/index.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { baseFields, baseOf, formOf, type ProfileBase, type ProfileForm, type ProfileSet } from './profile-form.ts';

/** The form's values, and the profile as it was when the person began. */
export interface ProfileDraft {
  readonly form: ProfileForm;
  readonly base: ProfileBase;
}

interface EditArgs {
  readonly set?: ProfileSet & { logo?: string };
  readonly base?: Partial<ProfileBase>;
}

export const argsOf = (rejected: RejectedEntry) => rejected.args as EditArgs;

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

/** The draft with the other values in the fields that clashed; the rest of what was typed stays. */
export function takeTheirs(
  draft: ProfileDraft,
  theirs: Readonly<Record<string, unknown>>,
  lists: ReferenceLists,
): ProfileDraft {
  const fields = baseFields.filter((field) => field in theirs);
  const base: ProfileBase = { ...draft.base, ...Object.fromEntries(fields.map((field) => [field, theirs[field]])) };
  const shown = formOf(base, lists);
  const form = { ...draft.form };
  for (const field of fields) {
    if (field === 'locationId') Object.assign(form, { place: shown.place });
    else Object.assign(form, { [field]: shown[field] });
  }
  return { form, base };
}
