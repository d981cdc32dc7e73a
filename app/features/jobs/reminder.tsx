import { useState, type FormEvent } from 'react';
import { minute } from '../../../shared/lib/durations.ts';
import { nzClock } from '../../../shared/lib/nz-time.ts';
import type { Mark } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { calendarFile } from '../../lib/calendar-file.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { formatInstant } from '../../words/dates.ts';
import { words } from '../../words/common-words.ts';
import styles from './shortlist-control.module.css';
import { chosenTime, reminderTimes } from './reminder-times.ts';
import { useShortlist } from './use-shortlist.ts';

type ReminderProps = {
  readonly mark: Mark;
  readonly isClosed: boolean;
  /** The person would rather choose the time themself. */
  readonly onChoose: () => void;
};

/**
 * When one is reminded of a job that is saved for later: chosen in a tap, changed, taken back, and given to the phone's
 * own calendar.
 */
export function Reminder({ mark, isClosed, onChoose }: ReminderProps) {
  const { now } = useApp();
  const context = useSessionContext();
  const { remind } = useShortlist();
  const way = useUnsynced(context);
  const isUnsent =
    way.state === 'ready' &&
    way.value.outbox.some(({ name, args }) => name === 'job.mark' && (args as { jobId: string }).jobId === mark.jobId);
  const at = mark.remindAt;
  return (
    <>
      {at !== null && (
        <>
          <Chip isOn label={`Reminder ${formatInstant(at, now())}`} onPress={() => void remind(mark, null)}>
            {`Reminder ${formatInstant(at, now())}`}
          </Chip>
          <Chip icon="calendar" onPress={() => download(mark, at, now())}>
            Add to calendar
          </Chip>
        </>
      )}
      {at === null && !isClosed && (
        <div role="group" aria-label="Remind me" className={styles.when}>
          {reminderTimes(new Date(now())).map((time) => (
            <Chip key={time.words} icon="bell" onPress={() => void remind(mark, time.at)}>
              {time.words}
            </Chip>
          ))}
          <Chip icon="bell" onPress={onChoose}>
            Choose a time
          </Chip>
        </div>
      )}
      {isUnsent && <ItemStateBadge state={{ kind: 'saved', words: words.saved }} />}
    </>
  );
}

/** Any time to come, by the clock in New Zealand. */
export function ChooseTime({ mark, onDone }: { readonly mark: Mark; readonly onDone: () => void }) {
  const { remind } = useShortlist();
  const { now } = useApp();
  const [shown, setShown] = useState(() => nzClock(new Date(reminderTimes(new Date(now())).at(-1)?.at ?? now())));
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const chosen = chosenTime(shown, new Date(now()));
    if ('problem' in chosen) return setProblem(chosen.problem);
    if (await remind(mark, chosen.at)) onDone();
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <label>
        Remind me at (New Zealand time)
        <input
          type="datetime-local"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was asked for by the press before
          autoFocus
          value={shown}
          min={nzClock(new Date(now()))}
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby="reminder-problem"
          onChange={(event) => {
            setShown(event.target.value);
            setProblem(undefined);
          }}
        />
      </label>
      <Button type="submit" variant="primary">
        Set reminder
      </Button>
      <p id="reminder-problem" role="alert" className={styles.problem} hidden={problem === undefined}>
        {problem}
      </p>
    </form>
  );
}

/** Nothing of the job but its title, which its homeowner made public, and its link. */
function download(mark: Mark, at: string, now: string): void {
  const file = calendarFile({
    uid: `${mark.id}@${window.location.hostname}`,
    title: `Dwang: ${mark.title}`,
    url: new URL(`/job/${mark.jobId}`, window.location.origin).href,
    at,
    now,
  });
  const address = URL.createObjectURL(new Blob([file], { type: 'text/calendar;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: 'dwang-reminder.ics' });
  link.click();
  // A browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), minute);
}
