import { Chip } from '../../ui/chip.tsx';
import styles from './chip-row.module.css';
import { resetFilters, type JobFilters } from './job-filters.ts';

type ChipRowProps = {
  readonly filters: JobFilters;
  readonly onFilters: (filters: JobFilters) => void;
  /** How many jobs this tradie has saved for later, and how many hidden. */
  readonly later: number;
  readonly hidden: number;
};

/** What is looked at in a tap: the jobs that one has saved for later, and those that one has hidden. Nothing where there is nothing of either. */
export function ChipRow({ filters, onFilters, later, hidden }: ChipRowProps) {
  const { sort, onlyLater, onlyHidden } = filters;
  // All of them, whatever the list was narrowed to; and back to the list as it is without filters.
  const show = (changes: Partial<JobFilters>) => onFilters({ ...resetFilters, sort, ...changes });
  const isLaterShown = later > 0 || onlyLater;
  const isHiddenShown = hidden > 0 || onlyHidden;
  if (!isLaterShown && !isHiddenShown) return null;
  return (
    <div className={styles.row} role="group" aria-label="Lists of jobs">
      {isLaterShown && (
        <Chip icon="bookmark" isOn={onlyLater} onPress={() => show({ onlyLater: !onlyLater })}>
          {`Saved for later (${later})`}
        </Chip>
      )}
      {isHiddenShown && (
        <Chip isOn={onlyHidden} onPress={() => show({ onlyHidden: !onlyHidden })}>
          {`Hidden (${hidden})`}
        </Chip>
      )}
    </div>
  );
}
