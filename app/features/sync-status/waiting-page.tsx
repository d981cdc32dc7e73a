import { useState } from 'react';
import { useApp, useSessionContext, useAuthState } from '../../context/app-context.ts';
import { useFocusKept } from '../../hooks/use-focus-kept.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { waitingOf } from '../../words/waiting.ts';
import { useWatched } from '../../context/use-watched.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { attachesOf } from '../../words/item-state.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { words } from '../../words/common-words.ts';
import { AttachItem, LogoItem, PhotoItem } from './picture-items.tsx';
import { QueuedItem } from './queued-item.tsx';
import { SendNow } from './send-now.tsx';
import { RejectedItem } from './rejected-item.tsx';
import { useJobTitles } from './use-job-titles.ts';
import styles from './waiting-page.module.css';

type WaitingPageProps = { readonly goTo: (path: string) => void };

/** "Waiting to send (n)": everything that the server does not have yet, and what it rejected. */
export function WaitingPage({ goTo }: WaitingPageProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in') return <Waiting goTo={goTo} />;
  return (
    <Page title="Waiting to send">
      <EmptyState
        picture="locked"
        title="Please sign in to see what waits"
        action={
          <LinkButton href="/" variant="primary">
            Go to Home
          </LinkButton>
        }
      />
    </Page>
  );
}

function Waiting({ goTo }: WaitingPageProps) {
  const { connection, evictsAfterWeek } = useApp();
  const context = useSessionContext();
  const { kind } = useWatched(connection);
  const way = useUnsynced(context);
  const titleOf = useJobTitles();
  // What is said once nothing waits must be true of what was given up as well.
  const [hasGivenUp, setGivenUp] = useState(false);
  const onGivenUp = () => setGivenUp(true);
  useFocusKept(
    way.state === 'ready' ? way.value.outbox.length + way.value.refused.length + way.value.photos.length : 0,
  );
  if (way.state === 'reading' || titleOf === undefined) {
    return (
      <Page title="Waiting to send">
        <SkeletonCards count={2} label="Reading what waits" />
      </Page>
    );
  }
  if (way.state === 'failed') {
    return (
      <Page title="Waiting to send">
        <EmptyState picture="lost" title="We couldn't read what is saved on this phone">
          <p>Reload the page. Nothing has been thrown away.</p>
        </EmptyState>
      </Page>
    );
  }
  const { outbox, refused, photos, logo } = way.value;
  const { changes, photos: photoCount } = waitingOf(way.value);
  const queued = outbox.filter((entry) => entry.name !== 'photo.attach');
  const isQuiet = changes + photoCount + refused.length === 0;
  return (
    <Page
      title={`Waiting to send (${changes + photoCount})`}
      actions={changes + photoCount > 0 && <SendNow attempt={way.value.attempt} />}
      lead={
        !isQuiet &&
        (changes + photoCount === 0 ? (
          'Nothing is waiting. What was not accepted needs you.'
        ) : (
          <p className={styles.lead}>{leadOf(kind, evictsAfterWeek)}</p>
        ))
      }
    >
      {isQuiet && (
        <EmptyState
          picture="done"
          title={hasGivenUp ? 'Nothing is waiting' : 'Everything has been sent'}
          action={
            <LinkButton href="/dashboard" variant="primary">
              Go to Dashboard
            </LinkButton>
          }
        >
          {hasGivenUp && (
            <p>What you cancelled or discarded was not accepted by Dwang, and is not on this phone any more.</p>
          )}
        </EmptyState>
      )}
      {refused.length > 0 && (
        <section className={styles.section} aria-labelledby="refused">
          <h2 id="refused">
            {words.notAccepted} ({refused.length})
          </h2>
          <ul role="list" className={styles.list}>
            {refused.map((entry) => (
              <li key={entry.uid}>
                <RejectedItem entry={entry} jobTitle={titleOf(jobOf(entry))} goTo={goTo} onGivenUp={onGivenUp} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {queued.length > 0 && (
        <section className={styles.section} aria-labelledby="changes">
          <h2 id="changes">Changes</h2>
          <ul role="list" className={styles.list}>
            {queued.map((entry) => (
              <li key={entry.uid}>
                <QueuedItem
                  entry={entry}
                  jobTitle={titleOf(jobOf(entry))}
                  attempt={way.value.attempt}
                  goTo={goTo}
                  onGivenUp={onGivenUp}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {logo !== undefined && (
        <section className={styles.section} aria-labelledby="logo">
          <h2 id="logo">Logo</h2>
          <LogoItem logo={logo} onGivenUp={onGivenUp} />
        </section>
      )}
      {photoCount > 0 && (
        <section className={styles.section} aria-labelledby="photos">
          <h2 id="photos">Photos</h2>
          <ul role="list" className={styles.list}>
            {photos.map((photo) => (
              <li key={photo.id}>
                <PhotoItem photo={photo} jobTitle={titleOf(photo.jobId)} onGivenUp={onGivenUp} />
              </li>
            ))}
            {attachesOf(way.value).map((entry) => (
              <li key={entry.uid}>
                <AttachItem entry={entry} jobTitle={titleOf(jobOf(entry))} attempt={way.value.attempt} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}

function leadOf(kind: 'online' | 'slow' | 'offline' | 'unreachable', evictsAfterWeek: boolean): string {
  if (kind === 'unreachable') return `${words.notReached}. These go out by themselves.`;
  if (evictsAfterWeek) return words.keepOpen;
  return kind === 'online' || kind === 'slow'
    ? 'These go out by themselves.'
    : "These go out by themselves when you're back in coverage.";
}
