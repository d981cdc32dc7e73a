import { useId, type ReactNode } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useDueReminders } from '../../hooks/use-due-reminders.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatInstant } from '../../words/dates.ts';
import type { UnsyncedNow } from '../../words/item-state.ts';
import { count, words } from '../../words/promises.ts';
import { waitingOf, waitingWords } from '../../words/waiting.ts';
import styles from './dashboard-news.module.css';
import { InterestedTradie } from './interested-tradie.tsx';
import { useNewJobs, type News } from './use-news.ts';

/** More would push everything else off the screen; the jobs below have them all. */
const mostAnswers = 3;

const loadReminder = () => import('../../parts/due-reminder.tsx');

type DashboardNewsProps = { readonly news: News; readonly onItsWay: UnsyncedNow | undefined };

/** What changed since the person last looked, before what there is. Nothing at all where nothing did. */
export function DashboardNews({ news, onItsWay }: DashboardNewsProps) {
  const { now, log } = useApp();
  const context = useSessionContext();
  const { answered, closed, unfinished, since } = news;
  const newJobs = useNewJobs(news);
  const waiting = onItsWay === undefined ? undefined : waitingOf(onItsWay);
  const waits = waiting === undefined ? undefined : waitingWords(waiting);
  const needPerson = waiting?.needPerson ?? 0;
  const happened = answered.length + closed.length + newJobs;
  const due = useDueReminders(context);
  const isQuiet = happened + needPerson + due.length === 0 && waits === undefined && unfinished === undefined;
  const reminder = useDeferredImport(due.length > 0, loadReminder, (fault) => log('reminder', String(fault)));
  if (isQuiet) return null;
  return (
    <section className={styles.section} aria-labelledby="news">
      <div className={styles.head}>
        <h2 id="news">{answered.length > 0 ? `${count(answered.length, 'tradie')} answered` : 'News'}</h2>
        {happened > 0 && <p>since {formatInstant(since, now())}</p>}
      </div>
      {answered.length > 0 && (
        <ul role="list" className={styles.answers}>
          {answered.slice(0, mostAnswers).map(({ job, interest, tradie }) => (
            <li key={interest.id}>
              <p className={styles.about}>
                For: <TextLink href={`/job/${job.id}`}>{job.title}</TextLink>
              </p>
              <InterestedTradie interest={interest} tradie={tradie} />
            </li>
          ))}
        </ul>
      )}
      {reminder !== undefined &&
        due.map((mark) => <reminder.DueReminder key={mark.id} mark={mark} context={context} />)}
      <ul role="list" className={styles.list}>
        {needPerson > 0 && (
          <Item
            icon="alert"
            title={`${count(needPerson, 'change')} ${needPerson === 1 ? 'needs' : 'need'} you`}
            action={<LinkButton href="/waiting">See what you can do</LinkButton>}
          >
            Not accepted, or not sent.
          </Item>
        )}
        {waits !== undefined && waiting !== undefined && (
          <Item
            icon="send"
            title={`${waits} waiting to send`}
            action={<LinkButton href="/waiting">Waiting to send ({waiting.changes + waiting.photos})</LinkButton>}
          >
            {words.saved}. They go out by themselves.
          </Item>
        )}
        {newJobs > 0 && (
          <Item
            icon="search"
            title={`${count(newJobs, 'new job')} in your trades`}
            action={<LinkButton href="/find-jobs">Browse Jobs</LinkButton>}
          />
        )}
        {closed.map((job) => (
          <Item key={job.id} icon="minus" title={`Closed: ${job.title}`}>
            <TextLink href={`/job/${job.id}`}>You expressed interest in this job</TextLink>
          </Item>
        ))}
        {unfinished !== undefined && (
          <Item
            icon="edit"
            title={`Unfinished: ${unfinished.title}`}
            action={<LinkButton href="/post-job">Go on</LinkButton>}
          >
            Saved {formatInstant(unfinished.savedAt, now())}.
          </Item>
        )}
      </ul>
    </section>
  );
}

type ItemProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

function Item({ icon, title, children, action }: ItemProps) {
  const id = useId();
  return (
    <li className={styles.item} aria-labelledby={id}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.words}>
        <h3 id={id}>{title}</h3>
        {children !== undefined && <p>{children}</p>}
        {action}
      </div>
    </li>
  );
}
