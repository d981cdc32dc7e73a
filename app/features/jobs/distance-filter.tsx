import { memo } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useReached } from '../../hooks/use-offline-reason.ts';
import type { Place } from '../../lib/reference-lists.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Select } from '../../ui/select.tsx';
import { formatInstant } from '../../words/dates.ts';
import styles from './distance-filter.module.css';
import type { DistanceContext } from './distances.ts';
import { distanceSteps } from './job-filters.ts';
import type { PlaceChoice } from './use-phone-place.tsx';

type DistanceFilterProps = {
  readonly withinKm: number | null;
  /** The town that the filters name. */
  readonly town: Place | undefined;
  readonly nearness: DistanceContext;
  readonly choice: PlaceChoice;
  readonly onChange: (withinKm: number | null) => void;
};

/** How far a job may be, and from where that is counted. */
export const DistanceFilter = memo(function DistanceFilter({
  withinKm,
  town,
  nearness: { origin, isRead, lacksTown },
  choice,
  onChange,
}: DistanceFilterProps) {
  const from = town?.town ?? (origin?.isPhone === true ? 'this phone' : origin?.town?.town);
  const steps = [...new Set([...distanceSteps, ...(withinKm === null ? [] : [withinKm])])].toSorted(
    (one, other) => one - other,
  );
  return (
    <div className={styles.distance}>
      {from !== undefined && (
        <Select
          label={`Distance from ${from}`}
          value={withinKm === null ? '' : String(withinKm)}
          placeholder={town === undefined ? 'Any distance' : `In ${town.town} only`}
          options={steps.map((km) => ({ value: String(km), label: `Within ${km} km` }))}
          onChange={(value) => onChange(value === '' ? null : Number(value))}
        />
      )}
      {isRead && (
        <div className={styles.from}>
          <From {...{ origin, lacksTown, choice }} isSaved={withinKm !== null && town === undefined} />
        </div>
      )}
    </div>
  );
});

type FromProps = Pick<DistanceContext, 'origin' | 'lacksTown'> & {
  readonly choice: PlaceChoice;
  /** A search that is saved now has a distance in it that is not from a town of the filters. */
  readonly isSaved: boolean;
};

/** Where distances are counted from, in words, and the way to another place. */
function From({ origin, lacksTown, choice, isSaved }: FromProps) {
  const { now } = useApp();
  const reached = useReached();
  if (origin === undefined)
    return (
      <>
        <p className={styles.hint}>
          {lacksTown
            ? "Your profile names no town, so we can't say how far jobs are. Add your town, or use your location."
            : `Where your town is isn't on this phone yet. It comes with the list of towns, the next time ${reached}.`}
        </p>
        <div className={styles.ways}>
          <Button variant="plain" icon="pin" onPress={choice.usePhone}>
            Use my location
          </Button>
          {lacksTown && (
            <LinkButton variant="plain" href="/edit-tradie">
              Add your town
            </LinkButton>
          )}
        </div>
      </>
    );
  if (!origin.isPhone)
    return (
      <>
        <p className={styles.hint}>
          {`Straight-line distance from ${origin.town?.town ?? 'your base town'}, your base town.`}
        </p>
        <div className={styles.ways}>
          <Button variant="plain" icon="pin" onPress={choice.usePhone}>
            Use my location
          </Button>
        </div>
      </>
    );
  return (
    <>
      <p className={styles.hint}>
        {`Straight-line distance from where this phone was ${formatInstant(origin.at ?? now(), now())}. The place stays on this phone.`}
        {isSaved &&
          origin.town !== undefined &&
          ` A search you save counts from ${origin.town.town}, the town nearest to it.`}
      </p>
      <div className={styles.ways}>
        <Button variant="plain" icon="refresh" onPress={choice.usePhone}>
          Find it again
        </Button>
        <Button variant="plain" onPress={choice.useBase}>
          Use my base town
        </Button>
      </div>
    </>
  );
}
