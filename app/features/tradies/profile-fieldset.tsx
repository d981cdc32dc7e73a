import { chosenWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { CheckboxGrid } from '../../ui/checkbox-grid.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import { fieldLabels } from '../../words/field-labels.ts';
import styles from './edit-tradie-form.module.css';
import type { ProfileForm, ProfileProblems } from './profile-form.ts';

type ProfileFieldsetProps = {
  readonly form: ProfileForm;
  readonly email: string;
  readonly problems: ProfileProblems;
  readonly onChange: (changes: Partial<ProfileForm>) => void;
  readonly lists: ReferenceLists;
};

const labels = fieldLabels['profile.edit'];

/** The fields of `/edit-tradie`, the logo aside. */
export function ProfileFieldset({ form, email, problems, onChange, lists }: ProfileFieldsetProps) {
  return (
    <>
      <TextField
        id="profile-businessName"
        label={labels.businessName}
        isRequired
        autoComplete="organization"
        autoCapitalize="words"
        maxLength={200}
        value={form.businessName}
        onChange={(businessName) => onChange({ businessName })}
        error={problems.businessName}
      />
      <TextField
        id="profile-businessAddress"
        label={labels.businessAddress}
        isRequired
        autoComplete="street-address"
        autoCapitalize="words"
        maxLength={300}
        value={form.businessAddress}
        onChange={(businessAddress) => onChange({ businessAddress })}
        error={problems.businessAddress}
      />
      <CheckboxGrid
        id="profile-categoryIds"
        label={labels.categoryIds}
        hint={chosenWords(form.categoryIds, lists)}
        isChips
        options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.categoryIds}
        onChange={(categoryIds) => onChange({ categoryIds })}
        error={problems.categoryIds}
      />
      <div className={styles.pair}>
        <TextField
          id="profile-contactPersonFirstName"
          label={labels.contactPersonFirstName}
          isOptional
          autoComplete="given-name"
          autoCapitalize="words"
          maxLength={80}
          value={form.contactPersonFirstName}
          onChange={(contactPersonFirstName) => onChange({ contactPersonFirstName })}
          error={problems.contactPersonFirstName}
        />
        <TextField
          id="profile-contactPersonLastName"
          label={labels.contactPersonLastName}
          isOptional
          autoComplete="family-name"
          autoCapitalize="words"
          maxLength={80}
          value={form.contactPersonLastName}
          onChange={(contactPersonLastName) => onChange({ contactPersonLastName })}
          error={problems.contactPersonLastName}
        />
      </div>
      <TextField
        id="profile-contactPhone"
        label={labels.contactPhone}
        isRequired
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        value={form.contactPhone}
        onChange={(contactPhone) => onChange({ contactPhone })}
        error={problems.contactPhone}
      />
      <TextField
        label="Business email"
        hint="This uses your account email address"
        type="email"
        isReadOnly
        value={email}
      />
      <TextField
        id="profile-description"
        label={labels.description}
        isOptional
        isMultiline
        isCounted
        maxLength={400}
        value={form.description}
        onChange={(description) => onChange({ description })}
        error={problems.description}
      />
      <TownPicker
        id="profile-locationId"
        towns={lists.places}
        townLabel={labels.locationId}
        townPlaceholder="Select your nearest town..."
        isOptional
        value={form.place}
        onChange={(place) => onChange({ place })}
        error={problems.locationId}
      />
    </>
  );
}
