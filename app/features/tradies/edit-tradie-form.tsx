import type { FormEvent } from 'react';
import { currentValues } from '../../../shared/mutations/edit.ts';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import type { Tradie } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { useMutationForm } from '../../hooks/use-mutation-form.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import { usePickedLogo } from '../../hooks/use-picked-logo.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { argsOfEdit, beginEdit, changesOf, keepMine, acceptTheirs } from '../../lib/row-form.ts';
import { ConflictChooser } from '../../parts/conflict-chooser.tsx';
import { dropLogo } from '../../photos/keep-logo.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { FormButtons, FormColumns } from '../../ui/form-columns.tsx';
import { LogoField } from '../../ui/logo-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { fieldLabels } from '../../words/field-labels.ts';
import { words } from '../../words/common-words.ts';
import { problemsOf, profileAliases, profileForm, type ProfileEdit, type ProfileForm } from './profile-form.ts';
import { ProfileFieldset } from './profile-fieldset.tsx';
import { useSaveProfile, useWaitingLogo } from './use-save-profile.ts';

type EditTradieFormProps = {
  readonly tradie: Tradie;
  /** The last edit the server rejected: the form opens with what was typed then. */
  readonly rejected: RejectedEntry | undefined;
  readonly lists: ReferenceLists;
  readonly onBack: () => void;
};

/** The draft as it is stored: the names are those of an earlier version. */
const stored = ({ fields, base }: ProfileEdit) => ({ form: fields, base });
const draftKey = 'edit-tradie';
const logoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export function EditTradieForm({ tradie, rejected, lists, onBack }: EditTradieFormProps) {
  const { toasts } = useApp();
  const { db, sync } = useSessionContext();
  const { may, save } = useSaveProfile(tradie);
  const rows = profileForm(lists);
  const sent = rejected?.args as ArgsOf<'profile.edit'> | undefined;
  const draft = useDraft(draftKey, () => stored(beginEdit(rows, tradie, sent)));
  const picked = usePickedLogo(logoTypes);
  const waitingLogo = useWaitingLogo(db);
  const waitingUrl = useObjectUrls(
    waitingLogo === undefined ? [] : [{ id: waitingLogo.path, bytes: waitingLogo.bytes, type: waitingLogo.type }],
  );
  const edit = draft.value && { fields: draft.value.form, base: draft.value.base };
  const form = useMutationForm('profile.edit', {
    draft,
    prefix: 'profile',
    aliases: profileAliases,
    rejected,
    isDirty: picked.logo !== undefined || (edit !== undefined && Object.keys(changesOf(rows, edit)).length > 0),
  });
  const isLocked = form.phase !== 'writing';

  if (edit === undefined) {
    return (
      <Page title="Edit Profile" width="wide">
        <Spinner size="lg" label="Loading your profile" />
      </Page>
    );
  }
  const change = (changes: Partial<ProfileForm>) => {
    if (form.touch(changes)) draft.change((before) => ({ ...before, form: { ...before.form, ...changes } }));
  };

  const submit = async (wanted: ProfileEdit) => {
    if (isLocked || picked.isShrinking) return;
    const args = argsOfEdit(rows, tradie.id, wanted) as ArgsOf<'profile.edit'>;
    const { found, isValid } = form.check(args, problemsOf(wanted.fields, tradie));
    if (found.contactPhone !== undefined)
      toasts.show({ title: 'Invalid Phone Number', description: found.contactPhone, variant: 'destructive' });
    if (!isValid) return;
    // A logo that is in storage but was not put into the profile goes again, where storage still has it.
    const leftLogo = rejected?.code === 'file-missing' ? undefined : sent?.set.logo;
    const { logo } = picked;
    const kept = await form.send(() => save({ args, logo, leftLogo, rejectedUid: rejected?.uid, draft: draft.send }));
    if (kept.kind === 'accepted' || kept.kind === 'saved') onBack();
  };

  const cancel = async () => {
    await draft.drop();
    onBack();
  };
  const removeLogo = async () => {
    if (picked.logo !== undefined) return picked.put(undefined);
    await dropLogo(db);
  };
  const theirs: Partial<ProfileEdit['base']> = rejected === undefined ? {} : currentValues(rejected);
  const isClash = Object.keys(theirs).length > 0;
  const onKeepMine = () => {
    const next = keepMine(edit, theirs);
    draft.change(() => stored(next));
    void submit(next);
  };
  const onKeepOther = async () => {
    draft.change(() => stored(acceptTheirs(rows, edit, theirs)));
    await draft.keep();
    if (rejected !== undefined) await sync.discard(rejected.uid);
  };

  return (
    <Page title="Edit Profile" width="wide" onBack={cancel}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void submit(edit);
        }}
      >
        <FormColumns
          end={
            <FormButtons>
              <Button onPress={cancel} isDisabled={isLocked}>
                Cancel
              </Button>
              <Button
                type="submit"
                variant="primary"
                isBusy={form.phase === 'sending'}
                busyText="Saving..."
                isDisabled={picked.isShrinking || !may || form.phase === 'done'}
              >
                Save Changes
              </Button>
            </FormButtons>
          }
        >
          {rejected !== undefined && (isClash || form.listed.length === 0) && (
            <Banner tone="bad" title={words.notAccepted} announce="alert">
              {isClash ? (
                <ConflictChooser
                  name="profile.edit"
                  theirs={theirs}
                  mine={sent?.set ?? {}}
                  lists={lists}
                  isDisabled={isLocked || picked.isShrinking}
                  mayKeepMine={may}
                  onKeepMine={onKeepMine}
                  onKeepOther={onKeepOther}
                />
              ) : (
                rejected.message
              )}
            </Banner>
          )}
          <ErrorSummary problems={form.listed} attempt={form.attempt} />
          <FieldLock isLocked={isLocked}>
            <LogoField
              id="profile-logo"
              label={fieldLabels['profile.edit'].logo}
              name={edit.fields.businessName}
              src={
                picked.url ?? (waitingLogo === undefined ? undefined : waitingUrl.get(waitingLogo.path)) ?? tradie.logo
              }
              isNew={picked.logo !== undefined || waitingLogo !== undefined}
              hint="JPEG, PNG or WebP. It is made smaller on this phone before it is sent."
              accept={logoTypes.join(',')}
              isBusy={picked.isShrinking}
              error={
                picked.error ??
                form.problems.logo ??
                (waitingLogo?.state === 'failed' ? `Couldn't send: ${waitingLogo.error ?? ''}` : undefined)
              }
              note={picked.logo === undefined && waitingLogo?.state === 'waiting' ? words.saved : undefined}
              isDisabled={isLocked}
              onPick={(file) => void picked.pick(file)}
              onRemove={() => void removeLogo()}
            />
            <ProfileFieldset
              form={edit.fields}
              email={tradie.email}
              problems={form.problems}
              onChange={change}
              lists={lists}
            />
          </FieldLock>
        </FormColumns>
      </form>
    </Page>
  );
}
