import { useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useDueReminders } from '../../hooks/use-due-reminders.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatInstant, formatWhen } from '../../words/dates.ts';
import { entryState, type UnsyncedNow } from '../../words/item-state.ts';
import { count, words } from '../../words/common-words.ts';
import { waitingOf, waitingWords } from '../../words/waiting.ts';
import styles from './dashboard-news.module.css';
import { InterestedTradie } from './interested-tradie.tsx';
import { NewsItem } from './news-item.tsx';
import type { FoundJobs, News } from './use-news.ts';

/** More would push everything else off the screen; the jobs below have them all. */
const maxAnswers = 3;
const maxSearches = 3;

const loadReminder = () => import('../../parts/due-reminder.tsx');

const loadRejected = () => import('./rejected-words.tsx');

const loadFound = () => import('./found-jobs.tsx');

const nothingFound: FoundJobs = { hasSearches: undefined, found: [] };

type DashboardNewsProps = { readonly news: News; readonly onItsWay: UnsyncedNow | undefined };

/** What changed since the person last looked, before what there is. Nothing at all where nothing did. */
export function DashboardNews({ news, onItsWay }: DashboardNewsProps) {
  const { now, log } = useApp();
  const context = useSessionContext();
  const { answered, closed, unfinished, since } = news;
  const [{ hasSearches, found }, setFound] = useState(nothingFound);
  const search = useDeferredImport(news.tradieId !== null, loadFound, (error) => log('found-jobs', String(error)));
  const waiting = onItsWay === undefined ? undefined : waitingOf(onItsWay);
  const waits = waiting === undefined ? undefined : waitingWords(waiting);
  const sending = onItsWay?.outbox.some((entry) => entryState(entry, onItsWay.attempt).kind === 'sending');
  const needPerson = waiting?.needPerson ?? 0;
  const rejected = needPerson === 1 ? onItsWay?.rejected[0] : undefined;
  const named = useDeferredImport(rejected !== undefined, loadRejected, (error) =>
    log('rejected-words', String(error)),
  );
  const happened = answered.length + closed.length + found.length;
  const due = useDueReminders(context);
  const isNewHere = search !== undefined && hasSearches === false && news.isNewTradie && news.categoryIds.length > 0;
  const isQuiet =
    happened + needPerson + due.length === 0 && waits === undefined && unfinished === undefined && !isNewHere;
  const reminder = useDeferredImport(due.length > 0, loadReminder, (error) => log('reminder', String(error)));
  const counter = search !== undefined && news.tradieId !== null && (
    <search.CountFoundJobs {...{ since, base: news }} tradieId={news.tradieId} onFound={setFound} />
  );
  const shown = (
    <section className={styles.section} aria-labelledby="news">
      <div className={styles.head}>
        <h2 id="news">{answered.length > 0 ? `${count(answered.length, 'tradie')} answered` : 'News'}</h2>
        {happened > 0 && <p>since your last visit {formatWhen(since, now())}</p>}
      </div>
      {answered.length > 0 && (
        <ul role="list" className={styles.answers}>
          {answered.slice(0, maxAnswers).map(({ job, interest, tradie }) => (
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
          <NewsItem
            icon="alert"
            title={`${count(needPerson, 'thing')} ${needPerson === 1 ? 'needs' : 'need'} you`}
            action={<LinkButton href="/waiting">See what you can do</LinkButton>}
          >
            {named !== undefined && rejected !== undefined ? (
              <named.RejectedWords entry={rejected} />
            ) : (
              'Not accepted, or not sent.'
            )}
          </NewsItem>
        )}
        {waits !== undefined && waiting !== undefined && (
          <NewsItem
            icon="send"
            title={`Waiting to send (${waiting.changes + waiting.photos})`}
            action={<LinkButton href="/waiting">See what waits</LinkButton>}
          >
            {sending ? words.sending : words.saved}: {waits}. You need to do nothing.
          </NewsItem>
        )}
        {found.slice(0, maxSearches).map(({ id, where, newCount, href }) => (
          <NewsItem
            key={id}
            icon="search"
            title={`${count(newCount, 'new job')} ${where}`}
            action={<LinkButton href={href}>See them</LinkButton>}
          />
        ))}
        {isNewHere && <search.NearSearchNews categoryIds={news.categoryIds} locationId={news.locationId} />}
        {closed.map((job) => (
          <NewsItem key={job.id} icon="minus" title={`Closed: ${job.title}`}>
            <TextLink href={`/job/${job.id}`}>You expressed interest in this job</TextLink>
          </NewsItem>
        ))}
        {unfinished !== undefined && (
          <NewsItem
            icon="edit"
            title={`Unfinished: ${unfinished.title}`}
            action={<LinkButton href="/post-job">Go on</LinkButton>}
          >
            Saved {formatInstant(unfinished.savedAt, now())}.
          </NewsItem>
        )}
      </ul>
    </section>
  );
  // The counter stays where it is while what it counts comes and goes.
  return (
    <>
      {counter}
      {!isQuiet && shown}
    </>
  );
}
