import { chosenWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Banner } from '../../ui/banner.tsx';
import { CheckboxGrid } from '../../ui/checkbox-grid.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import { fieldLabels } from '../../words/field-labels.ts';
import { supportEmail } from '../../words/common-words.ts';
import { NzbnField } from './nzbn-field.tsx';
import { maxLengths, type OnboardingForm, type OnboardingProblems } from './onboarding-form.ts';

type BusinessFieldsProps = {
  readonly form: OnboardingForm;
  readonly problems: OnboardingProblems;
  readonly onChange: (changes: Partial<OnboardingForm>) => void;
  readonly onLeavePhone: () => void;
  readonly lists: ReferenceLists;
};

const labels = fieldLabels['profile.edit'];

/** Typing is not limited: what is too long is cut when it is sent, and this says so before. */
function lengthHint(text: string, maxLength: number, otherwise?: string): string | undefined {
  return text.trim().length > maxLength
    ? `${text.trim().length} characters. Only the first ${maxLength} are kept.`
    : otherwise;
}

/** What is asked of a business, in its order. */
export function BusinessFields({ form, problems, onChange, onLeavePhone, lists }: BusinessFieldsProps) {
  const region = lists.place(form.place.locationId)?.region ?? form.place.region;
  return (
    <>
      <NzbnField
        value={form.nzbn}
        isVerified={form.isNzbnVerified}
        error={problems.nzbn}
        onChange={(nzbn, isNzbnVerified) => onChange({ nzbn, isNzbnVerified })}
      />
      <TextField
        id="onboarding-businessName"
        label={labels.businessName}
        hint={lengthHint(form.businessName, maxLengths.businessName)}
        isRequired
        autoComplete="organization"
        autoCapitalize="words"
        value={form.businessName}
        onChange={(businessName) => onChange({ businessName })}
        error={problems.businessName}
      />
      <TextField
        id="onboarding-businessAddress"
        label={labels.businessAddress}
        hint={lengthHint(form.businessAddress, maxLengths.businessAddress, 'Shown on your public profile.')}
        isRequired
        autoComplete="street-address"
        autoCapitalize="words"
        value={form.businessAddress}
        onChange={(businessAddress) => onChange({ businessAddress })}
        error={problems.businessAddress}
      />
      <CheckboxGrid
        id="onboarding-categoryIds"
        label={labels.categoryIds}
        hint={chosenWords(form.categoryIds, lists)}
        isChips
        options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
        value={form.categoryIds}
        onChange={(categoryIds) => onChange({ categoryIds })}
        error={problems.categoryIds}
      />
      <Banner tone="info" title="Are you qualified?" announce="none">
        If you hold a licence, email a copy to <a href={`mailto:${supportEmail}`}>{supportEmail}</a> after you sign up.
        For restricted trades, such as plumbing or electrical work, we need to see your licence.
      </Banner>
      <TextField
        id="onboarding-contactPhone"
        label={labels.contactPhone}
        hint="A New Zealand number. Homeowners see it when you express interest in their job."
        isRequired
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        value={form.contactPhone}
        onChange={(contactPhone) => onChange({ contactPhone })}
        onBlur={onLeavePhone}
        error={problems.contactPhone}
      />
      <TextField
        id="onboarding-description"
        label="Company description"
        hint={lengthHint(
          form.description,
          maxLengths.description,
          `What you do and what you are good at, in ${maxLengths.description} characters or fewer.`,
        )}
        isRequired
        isMultiline
        value={form.description}
        onChange={(description) => onChange({ description })}
        error={problems.description}
      />
      <TownPicker
        id="onboarding-place"
        towns={lists.places}
        townLabel={labels.locationId}
        townPlaceholder="Select your nearest town..."
        isRequired
        value={{ region, locationId: form.place.locationId }}
        onChange={(place) => onChange({ place })}
        error={problems.place}
      />
    </>
  );
}
