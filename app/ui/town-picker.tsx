import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components/ComboBox';
import { fold } from '../../shared/lib/fold.ts';
import { compareNames } from '../../shared/lib/compare-names.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import type { FieldFrame } from './field-frame.ts';
import { FieldLabel, FieldProblem } from './field-words.tsx';
import { Icon } from './icon.tsx';
import { Select } from './select.tsx';
import field from './field.module.css';
import styles from './town-picker.module.css';

export type Town = { readonly id: string; readonly region: string; readonly town: string };

/** '' stands for not chosen. A region alone is a choice of its own in a filter. */
export type TownChoice = { readonly region: string; readonly locationId: string };

type TownPickerProps = Pick<FieldFrame, 'error' | 'hint' | 'isOptional' | 'isRequired' | 'isDisabled' | 'id'> & {
  readonly towns: readonly Town[];
  readonly value: TownChoice;
  readonly onChange: (value: TownChoice) => void;
  readonly regionLabel?: string;
  readonly townLabel?: string;
  readonly townPlaceholder?: string;
  /** First entry of the regions: "All regions" in a filter. */
  readonly anyRegion?: string;
};

/** A list of more matches than this is too long to read: without a region the list waits for some letters. */
const maxShown = 60;

/**
 * Region, then town. The town can also be typed at once, with or without macrons, and brings its region along.
 * A town is known by its id: names repeat between regions.
 */
export function TownPicker({
  towns,
  value,
  onChange,
  regionLabel = 'Region',
  townLabel = 'Town',
  townPlaceholder = 'Type or choose a town',
  anyRegion = 'All regions',
  error,
  hint,
  isOptional = false,
  ...rest
}: TownPickerProps) {
  const chosen = towns.find((town) => town.id === value.locationId);
  const [typed, setTyped] = useState<string>();
  const regionId = useId();
  const regions = useMemo(() => [...new Set(towns.map((town) => town.region))].toSorted(compareNames), [towns]);
  const text = typed ?? chosen?.town ?? '';
  const inOrder = useMemo(
    () =>
      towns
        .map((town) => ({ town, folded: fold(town.town), whole: fold(`${town.town}, ${town.region}`) }))
        .toSorted((one, other) => compareNames(one.town.town, other.town.town)),
    [towns],
  );
  // What is merely shown for the chosen town is no search: opening the list then offers all of them.
  const { matches, named } = useMemo(() => {
    const wanted = fold((typed ?? '').trim());
    const found = inOrder.filter(
      ({ town, folded, whole }) =>
        (value.region === '' || town.region === value.region) && (folded.includes(wanted) || whole.startsWith(wanted)),
    );
    const [beginning, within] = [
      found.filter(({ folded }) => folded.startsWith(wanted)),
      found.filter(({ folded }) => !folded.startsWith(wanted)),
    ];
    return {
      matches: [...beginning, ...within].slice(0, maxShown).map(({ town }) => town),
      named: found.filter(({ folded, whole }) => folded === wanted || whole === wanted),
    };
  }, [inOrder, typed, value.region]);

  const choose = (id: string) => {
    const town = towns.find((candidate) => candidate.id === id);
    setTyped(undefined);
    if (town !== undefined) onChange({ region: town.region, locationId: town.id });
  };
  /** Who has written or pasted a town in full goes on to the next field: the one town it can be is chosen. */
  const leave = () => {
    const [only, ...others] = named;
    if (typed !== undefined && only !== undefined && others.length === 0) choose(only.town.id);
    else setTyped(undefined);
  };
  /** Enter takes the only town that is left without a way down to it by arrow key. */
  const captureKey = (event: KeyboardEvent) => {
    const [only, ...others] = named.length > 0 ? named.map(({ town }) => town) : matches;
    const isPointedAt = event.currentTarget.querySelector('[aria-activedescendant]') !== null;
    if (event.key !== 'Enter' || isPointedAt || !typed?.trim() || only === undefined || others.length > 0) return;
    event.preventDefault();
    event.stopPropagation();
    choose(only.id);
  };
  const isEmpty = value.region === '' && value.locationId === '';

  return (
    <div className={styles.picker}>
      <Select
        id={regionId}
        label={regionLabel}
        value={value.region}
        onChange={(region) => {
          setTyped(undefined);
          onChange({ region, locationId: chosen?.region === region ? value.locationId : '' });
        }}
        options={regions.map((region) => ({ value: region, label: region }))}
        placeholder={anyRegion}
        isDisabled={rest.isDisabled ?? false}
      />
      <ComboBox
        {...rest}
        className={cx(field.field)}
        items={matches}
        inputValue={text}
        onInputChange={setTyped}
        value={value.locationId === '' ? null : value.locationId}
        // Null comes with text that is set in one stroke (paste, autofill), and must not wipe it.
        onChange={(key) => key !== null && choose(String(key))}
        onBlur={leave}
        defaultFilter={() => true}
        allowsEmptyCollection
        menuTrigger="input"
        isInvalid={error !== undefined}
        validationBehavior="aria"
      >
        <FieldLabel label={townLabel} isOptional={isOptional} />
        {/* Before the field itself hears it, which would only close the list. */}
        <div className={styles.frame} onKeyDownCapture={captureKey}>
          <Input
            className={cx(field.control, styles.input)}
            placeholder={townPlaceholder}
            autoComplete="off"
            autoCapitalize="words"
          />
          <AriaButton className={cx(styles.open)}>
            <Icon name="chevronDown" />
          </AriaButton>
        </div>
        {hint !== undefined && (
          <Text slot="description" className={cx(field.hint)}>
            {hint}
          </Text>
        )}
        <FieldProblem error={error} />
        <Popover className={cx(styles.popover)}>
          <ListBox<Town>
            className={cx(styles.list)}
            dependencies={[value.region]}
            renderEmptyState={() => <p className={styles.none}>No town of that name</p>}
          >
            {(town) => (
              <ListBoxItem id={town.id} textValue={town.town} className={cx(styles.item)}>
                <span>{town.town}</span>
                {value.region === '' && <span className={styles.region}>{town.region}</span>}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      {!isEmpty && (
        <Button
          variant="plain"
          icon="cross"
          isDisabled={rest.isDisabled ?? false}
          onPress={() => {
            setTyped(undefined);
            onChange({ region: '', locationId: '' });
          }}
        >
          Clear location
        </Button>
      )}
    </div>
  );
}
