import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckboxGrid } from '../../ui/checkbox-grid.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormButtons, FormColumns } from '../../ui/form-columns.tsx';
import { FormMissing } from '../../ui/form-missing.tsx';
import { MoneyField } from '../../ui/money-field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TownPicker } from '../../ui/town-picker.tsx';
import { DisabledReason } from '../../ui/disabled-reason.tsx';
import { sampleTowns } from './samples.ts';
import styles from './dev-ui.module.css';
import { urgencies, urgencyLabels } from '../../words/urgency.ts';

const categories = ['Builder', 'Electrician', 'Plumber', 'Painter', 'Roofer', 'Landscaper'].map((label) => ({
  value: label.toLowerCase(),
  label,
}));
const dollars = (value: number) => `$${value.toLocaleString('en-NZ')}${value === 50_000 ? '+' : ''}`;

/** Every field, empty, filled and wrong. */
export function FormParts() {
  const [title, setTitle] = useState('');
  const [words, setWords] = useState('The old deck is 4 by 6 m and the joists have gone at the house end.');
  const [budget, setBudget] = useState('12,500.50');
  const [category, setCategory] = useState('');
  const [urgency, setUrgency] = useState('soon');
  const [trades, setTrades] = useState(['builder', 'roofer']);
  const [most, setMost] = useState(10_000);
  const [text, setText] = useState('deck');
  const [hasAgreed, setHasAgreed] = useState(false);
  const [place, setPlace] = useState({ region: '', locationId: '' });
  const [attempt, setAttempt] = useState(0);
  const [nzbn, setNzbn] = useState('9429040402544');
  return (
    <Card as="section">
      <h2>Forms</h2>
      <ErrorSummary
        attempt={attempt}
        problems={[
          { fieldId: 'dev-title', message: 'Add a title' },
          { fieldId: 'dev-town', message: 'Choose a town' },
        ]}
      />
      <div className={styles.columns}>
        <div className={styles.stack}>
          <TextField
            id="dev-title"
            label="Title"
            hint="What needs doing, in a few words"
            isRequired
            value={title}
            onChange={setTitle}
            error="Add a title"
          />
          <TextField
            label="Description"
            isMultiline
            isRequired
            value={words}
            onChange={setWords}
            maxLength={400}
            isCounted
          />
          <MoneyField label="Budget max" isOptional value={budget} onChange={setBudget} />
          <Select
            label="Category"
            placeholder="Choose a category"
            value={category}
            onChange={setCategory}
            options={categories}
          />
          <TextField
            label="NZBN"
            inputMode="numeric"
            value={nzbn}
            onChange={setNzbn}
            error="That NZBN doesn’t look right. Check the 13 digits."
            beside={<Button>Verify</Button>}
          />
          <TextField
            label="Business email"
            value="aroha@example.nz"
            isReadOnly
            hint="This uses your account email address"
          />
          <TextField label="First name" value="Aroha" isDisabled />
        </div>
        <div className={styles.stack}>
          <TownPicker
            id="dev-town"
            towns={sampleTowns}
            value={place}
            onChange={setPlace}
            hint="With or without macrons"
            error={place.locationId === '' ? 'Choose a town' : undefined}
          />
          <RadioGroup
            label="Urgency"
            value={urgency}
            onChange={setUrgency}
            options={urgencies.map((value) => ({ value, label: urgencyLabels[value] }))}
          />
          <SearchField label="Search jobs" value={text} onChange={setText} placeholder="Title or description" />
          <Slider
            label="Max budget"
            prefix="$"
            value={most}
            onChange={setMost}
            min={0}
            max={50_000}
            step={500}
            format={dollars}
          />
          <CheckboxGrid
            label="Trade categories"
            hint="Choose all that apply"
            options={categories}
            value={trades}
            onChange={setTrades}
          />
          <Checkbox isSelected={hasAgreed} onChange={setHasAgreed} error="Please agree to the terms">
            I agree to the terms
          </Checkbox>
          <div>
            <DisabledReason id="why-not" reason="You need signal for this" />
          </div>
          <div className={styles.row}>
            <Button onPress={() => setAttempt(attempt + 1)}>Show what is wrong</Button>
          </div>
        </div>
      </div>
      <FormColumns
        end={
          <>
            <FormMissing action="To save" missing={['change something']} />
            <FormButtons>
              <Button>Cancel</Button>
              <Button variant="primary" isDisabled>
                Save Changes
              </Button>
            </FormButtons>
          </>
        }
      >
        <TextField label="Business name" value="Rangitīkei Roofing & Spouting" onChange={() => {}} />
      </FormColumns>
    </Card>
  );
}
