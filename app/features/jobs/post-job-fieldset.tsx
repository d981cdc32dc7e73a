import type { Problems } from '../../lib/field-problems.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { FieldLock } from '../../ui/field-lock.tsx';
import { MoneyField } from '../../ui/money-field.tsx';
import { PhotoPicker } from '../../ui/photo-picker.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import { fieldLabels } from '../../words/field-labels.ts';
import { urgencies, urgencyLabels, type Urgency } from '../../words/urgency.ts';
import { ContactDetailsNotice } from './contact-details-notice.tsx';
import type { EditBase, PostJobFields } from './job-fields.ts';
import type { useDraftPhotos } from './use-draft-photos.ts';

type PostJobFieldsetProps = {
  readonly fields: PostJobFields;
  readonly problems: Problems<keyof EditBase>;
  readonly onChange: (changes: Partial<PostJobFields>) => void;
  readonly lists: ReferenceLists;
  readonly photos: Pick<ReturnType<typeof useDraftPhotos>, 'shown' | 'add' | 'remove'>;
  /** Whether photos may be of any kind; else JPEG, PNG and WebP, as for a new job. */
  readonly takesAnyImage?: boolean;
  /** While the form is being saved. */
  readonly isLocked: boolean;
};

const labels = fieldLabels['job.edit'];
const urgencyOptions = urgencies.map((urgency) => ({ value: urgency, label: urgencyLabels[urgency] }));

/** Title, description, location, urgency, category, budget, photos. */
export function PostJobFieldset({
  fields,
  problems,
  onChange,
  lists,
  photos,
  takesAnyImage = false,
  isLocked,
}: PostJobFieldsetProps) {
  return (
    <FieldLock isLocked={isLocked}>
      <TextField
        id="post-title"
        label={labels.title}
        hint="A few words, like “Replace spouting on the south side”"
        maxLength={120}
        autoComplete="off"
        isRequired
        value={fields.title}
        error={problems.title}
        onChange={(title) => onChange({ title })}
      />
      <TextField
        id="post-description"
        label={labels.description}
        hint="What needs doing, how big it is, and anything a tradie should know"
        isMultiline
        maxLength={5_000}
        isCounted={fields.description.length > 4_500}
        isRequired
        value={fields.description}
        error={problems.description}
        onChange={(description) => onChange({ description })}
      />
      <ContactDetailsNotice title={fields.title} description={fields.description} onChange={onChange} />
      <TownPicker
        id="post-locationId"
        towns={lists.places}
        anyRegion="Choose a region"
        isRequired
        value={{ region: fields.region, locationId: fields.locationId }}
        error={problems.locationId}
        onChange={onChange}
      />
      <RadioGroup
        id="post-urgency"
        label={labels.urgency}
        isRequired
        options={urgencyOptions}
        value={fields.urgency}
        error={problems.urgency}
        onChange={(urgency) => onChange({ urgency: urgency as Urgency })}
      />
      <Select
        id="post-categoryId"
        label={labels.categoryId}
        placeholder="Choose a category"
        isRequired
        options={lists.categories.map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.categoryId}
        error={problems.categoryId}
        onChange={(categoryId) => onChange({ categoryId })}
      />
      <MoneyField
        id="post-budgetMax"
        label={labels.budgetMax}
        hint="The most you would spend, in New Zealand dollars"
        isOptional
        value={fields.budget}
        error={problems.budgetMax}
        onChange={(budget) => onChange({ budget })}
      />
      <PhotoPicker
        photos={photos.shown}
        onAdd={photos.add}
        onRemove={photos.remove}
        isDisabled={isLocked}
        {...(takesAnyImage
          ? { accept: 'image/*', hint: 'Any picture. It is made smaller on this phone before it is sent.' }
          : { hint: 'JPEG, PNG or WebP. Location data is taken out.' })}
      />
    </FieldLock>
  );
}
