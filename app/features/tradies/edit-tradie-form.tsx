import { useState, type FormEvent } from 'react';
import { currentValues } from '../../../shared/mutations/edit.ts';
import type { Tradie } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useDirtyForm } from '../../hooks/use-dirty-form.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import { usePickedLogo } from '../../hooks/use-picked-logo.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { ConflictChooser } from '../../parts/conflict-chooser.tsx';
import { dropLogo } from '../../photos/keep-logo.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FieldLock } from '../../ui/field-lock.tsx';
import { LogoField } from '../../ui/logo-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { fieldLabels } from '../../words/field-labels.ts';
import { words } from '../../words/promises.ts';
import styles from './edit-tradie-form.module.css';
import { baseOf, changesOf, formOf, problemsOf, type ProfileForm, type ProfileProblems } from './profile-form.ts';
import { ProfileFieldset } from './profile-fieldset.tsx';
import { argsOf, beginFromRejected, leftLogoOf, takeTheirs, type ProfileDraft } from './rejected-profile.ts';
import { useSaveProfile } from './use-save-profile.ts';
import { useWaitingLogo } from './use-waiting-logo.ts';

type EditTradieFormProps = {
  readonly tradie: Tradie;
  /** The last edit the server rejected: the form opens with what was typed then. */
  readonly rejected: RejectedEntry | undefined;
  readonly lists: ReferenceLists;
  readonly onBack: () => void;
};

const draftKey = 'edit-tradie';
const logoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export function EditTradieForm({ tradie, rejected, lists, onBack }: EditTradieFormProps) {
  const { toasts } = useApp();
  const { db, sync } = useSessionContext();
  const { may, save } = useSaveProfile(tradie);
  const draft = useDraft<ProfileDraft>(draftKey, () =>
    rejected === undefined
      ? { base: baseOf(tradie), form: formOf(baseOf(tradie), lists) }
      : beginFromRejected(tradie, rejected, lists),
  );
  const picked = usePickedLogo(logoTypes);
  const waitingLogo = useWaitingLogo(db);
  const waitingUrl = useObjectUrls(
    waitingLogo === undefined ? [] : [{ id: waitingLogo.path, bytes: waitingLogo.bytes, type: waitingLogo.type }],
  );
  const [problems, setProblems] = useState<ProfileProblems>({});
  const [attempt, setAttempt] = useState(0);
  const [isSaving, setSaving] = useState(false);

  const hasChanges = draft.value !== undefined && Object.keys(changesOf(draft.value.form, draft.value.base)).length > 0;
  useDirtyForm(hasChanges || picked.logo !== undefined);

  if (draft.value === undefined) {
    return (
      <Page title="Edit Profile">
        <Spinner size="lg" label="Loading your profile" />
      </Page>
    );
  }
  const { form, base } = draft.value;
  const change = (changes: Partial<ProfileForm>) => {
    if (isSaving) return;
    draft.change((before) => ({ ...before, form: { ...before.form, ...changes } }));
    setProblems((before) =>
      Object.fromEntries(
        Object.entries(before).filter(
          ([field]) => !(field in changes) && !(field === 'locationId' && 'place' in changes),
        ),
      ),
    );
  };

  const submit = async (wanted: ProfileDraft) => {
    if (isSaving || picked.isShrinking) return;
    const set = changesOf(wanted.form, wanted.base);
    const found = problemsOf(wanted.form, set);
    setProblems(found);
    setAttempt((before) => before + 1);
    if (found.contactPhone !== undefined)
      toasts.show({ title: 'Invalid Phone Number', description: found.contactPhone, variant: 'destructive' });
    if (Object.keys(found).length > 0) return;
    setSaving(true);
    await draft.keep();
    const kept = await save({
      set,
      base: wanted.base,
      logo: picked.logo,
      leftLogo: leftLogoOf(rejected),
      rejectedUid: rejected?.uid,
      draftKey,
    });
    setSaving(false);
    if (kept.kind === 'accepted' || kept.kind === 'saved') {
      await draft.drop();
      onBack();
      return;
    }
    // Queueing deleted the draft from the device; what was typed is still here.
    await draft.keep();
  };

  const cancel = async () => {
    await draft.drop();
    onBack();
  };
  const removeLogo = async () => {
    if (picked.logo !== undefined) return picked.put(undefined);
    await dropLogo(db);
  };
  const theirs = rejected === undefined ? {} : currentValues(rejected);
  const isClash = Object.keys(theirs).length > 0;
  const keepMine = () => {
    const next = { form, base: { ...base, ...theirs } };
    draft.change(() => next);
    void submit(next);
  };
  const giveWay = async () => {
    draft.change((before) => takeTheirs(before, theirs, lists));
    await draft.keep();
    if (rejected !== undefined) await sync.discard(rejected.uid);
  };
  const listed = Object.entries(problems).map(([field, message]) => ({ fieldId: `profile-${field}`, message }));

  return (
    <Page title="Edit Profile" onBack={cancel}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void submit({ form, base });
        }}
      >
        {rejected !== undefined && (
          <Banner tone="bad" title={words.notAccepted} announce="alert">
            {isClash ? (
              <ConflictChooser
                name="profile.edit"
                theirs={theirs}
                mine={argsOf(rejected).set ?? {}}
                lists={lists}
                isDisabled={isSaving || picked.isShrinking}
                mayKeepMine={may}
                onKeepMine={keepMine}
                onKeepOther={giveWay}
              />
            ) : (
              rejected.message
            )}
          </Banner>
        )}
        <ErrorSummary problems={listed} attempt={attempt} />
        <FieldLock isLocked={isSaving}>
          <LogoField
            label={fieldLabels['profile.edit'].logo}
            name={form.businessName}
            src={
              picked.url ?? (waitingLogo === undefined ? undefined : waitingUrl.get(waitingLogo.path)) ?? tradie.logo
            }
            isNew={picked.logo !== undefined || waitingLogo !== undefined}
            hint="JPEG, PNG or WebP. It is made smaller on this phone before it is sent."
            accept={logoTypes.join(',')}
            isBusy={picked.isShrinking}
            error={
              picked.error ??
              (waitingLogo?.state === 'failed' ? `Couldn't send: ${waitingLogo.error ?? ''}` : undefined)
            }
            note={picked.logo === undefined && waitingLogo?.state === 'waiting' ? words.saved : undefined}
            isDisabled={isSaving}
            onPick={(file) => void picked.pick(file)}
            onRemove={() => void removeLogo()}
          />
          <ProfileFieldset form={form} email={tradie.email} problems={problems} onChange={change} lists={lists} />
        </FieldLock>
        <div className={styles.foot}>
          <Button onPress={cancel} isDisabled={isSaving}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            isBusy={isSaving}
            busyText="Saving..."
            isDisabled={picked.isShrinking || !may}
          >
            Save Changes
          </Button>
        </div>
      </form>
    </Page>
  );
}
