import { useEffect, useRef } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import { defaultPreferences } from '../../../shared/tables/preferences.ts';
import { useSessionContext } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { queuedState, type ItemState } from '../../words/item-state.ts';
import { words } from '../../words/common-words.ts';
import styles from './edit-account-page.module.css';

type Choice = ArgsOf<'alerts.choose'>['choice'];
type Hours = Required<Pick<Choice, 'quietFrom' | 'quietTo'>>;

const hourWords = (hour: number) =>
  hour === 0 ? 'Midnight' : hour === 12 ? 'Midday' : `${hour % 12} ${hour < 12 ? 'am' : 'pm'}`;
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourWords(hour) }));
const messagesADay = [1, 3, 5, 10, 20, 50];

const mails: readonly { value: NonNullable<Choice['mailJobs']>; label: string; hint: string }[] = [
  { value: 'daily', label: 'Each morning', hint: 'One email at 7 am, with the jobs you have not been alerted to.' },
  { value: 'now', label: 'At once', hint: 'As soon as a job is posted, where no phone can tell you.' },
  { value: 'off', label: 'Never', hint: 'Your saved searches still show what is new.' },
];

/** Of what a person is told, when, and how often: for all of their devices. Kept at once, without signal too. */
export function AlertChoices({ isTradie }: { readonly isTradie: boolean }) {
  const { db, userId } = useSessionContext();
  const keep = useLocalWrite();
  const { may, enqueue } = useMutation('alerts.choose', { id: userId });
  const state = useChoiceState();
  const read = useRows(
    db,
    ['preferences'],
    ({ preferences }) => preferences.get(userId) ?? defaultPreferences(userId),
    [userId],
  );
  // What was chosen and is not read back yet: who is quick chooses the second hour beside it.
  const hoursChosen = useRef<Hours>(undefined);
  /** The person's own, for quiet hours that are turned off and on again. */
  const lastQuiet = useRef<Hours>(undefined);
  useEffect(() => {
    hoursChosen.current = undefined;
    if (read.state !== 'ready') return;
    const { quietFrom, quietTo } = read.value;
    if (quietFrom !== quietTo) lastQuiet.current = { quietFrom, quietTo };
  }, [read]);
  if (read.state === 'failed') return <p role="alert">We couldn't read what you have chosen. Reload the page.</p>;
  if (read.state === 'reading' || !may) return null;
  const { pushJobs, pushInterests, mailJobs, quietFrom, quietTo, alertsPerDay } = read.value;
  const choose = (choice: Choice) => void keep(() => enqueue({ id: userId, choice }));
  /** Both hours each time: one of each from two devices could be the same hour, which means never quiet. */
  const chooseHours = (changed: Partial<Hours>) => {
    hoursChosen.current = { quietFrom, quietTo, ...hoursChosen.current, ...changed };
    choose(hoursChosen.current);
  };
  const isQuiet = quietFrom !== quietTo;
  const { quietFrom: usualFrom, quietTo: usualTo } = defaultPreferences(userId);
  const usualHours = { quietFrom: usualFrom, quietTo: usualTo };
  const perDay = messagesADay.includes(alertsPerDay)
    ? messagesADay
    : [...messagesADay, alertsPerDay].toSorted((one, other) => one - other);
  return (
    <section className={styles.choices} aria-labelledby="alert-choices">
      <div className={styles.status}>
        <h3 id="alert-choices">What we tell you, and when</h3>
        <ItemStateBadge state={state} />
      </div>
      <p className={styles.note}>The same on all your devices.</p>
      <div>
        {isTradie && (
          <Checkbox isSelected={pushJobs} onChange={(isOn) => choose({ pushJobs: isOn })}>
            New jobs that my saved searches find
          </Checkbox>
        )}
        <Checkbox isSelected={pushInterests} onChange={(isOn) => choose({ pushInterests: isOn })}>
          A tradie is interested in my job
        </Checkbox>
        <Checkbox
          isSelected={isQuiet}
          onChange={(isOn) => choose(isOn ? (lastQuiet.current ?? usualHours) : { quietFrom: quietTo, quietTo })}
        >
          Quiet hours: hold alerts until they are over
        </Checkbox>
      </div>
      {isQuiet && (
        <div className={styles.pair}>
          <Select
            label="Quiet from"
            value={String(quietFrom)}
            onChange={(hour) => chooseHours({ quietFrom: Number(hour) })}
            options={hours.filter(({ value }) => value !== String(quietTo))}
          />
          <Select
            label="Quiet until"
            value={String(quietTo)}
            onChange={(hour) => chooseHours({ quietTo: Number(hour) })}
            options={hours.filter(({ value }) => value !== String(quietFrom))}
          />
        </div>
      )}
      <Select
        label="Messages a day, at most"
        hint="Any more arrive together the next morning."
        value={String(alertsPerDay)}
        onChange={(count) => choose({ alertsPerDay: Number(count) })}
        options={perDay.map((count) => ({ value: String(count), label: String(count) }))}
      />
      {isTradie && (
        <RadioGroup
          label="New jobs by email"
          value={mailJobs}
          onChange={(when) => choose({ mailJobs: mails.find(({ value }) => value === when)?.value ?? mailJobs })}
          options={mails}
        />
      )}
    </section>
  );
}

/** How far the last choice has come. Nothing once the server has it. */
function useChoiceState(): ItemState | undefined {
  const way = useUnsynced(useSessionContext());
  if (way.state !== 'ready') return undefined;
  const isChoice = ({ name }: { name: string }) => name === 'alerts.choose';
  if (way.value.rejected.some(isChoice)) return { kind: 'rejected', words: words.notAccepted };
  return queuedState(way.value, isChoice);
}
