import { useMemo, useState } from 'react';
import { useApp, useSessionContext, useAuthState, type ConnectionStatus } from '../../context/app-context.ts';
import { useFocusKept } from '../../hooks/use-focus-kept.ts';
import { useLostBusiness } from '../../hooks/use-person.ts';
import { useMoving } from '../../hooks/use-moving.ts';
import { useSent } from '../../hooks/use-sent.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import type { OutboxEntry } from '../../db/person-db.ts';
import { LostBusiness } from '../../parts/come-back.tsx';
import { waitingOf } from '../../words/waiting.ts';
import { useWatched } from '../../context/use-watched.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { attachesOf, isBeingRestored, type UnsyncedNow } from '../../words/item-state.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { words } from '../../words/common-words.ts';
import { isServerAway, reached } from '../../words/reach-words.ts';
import { CancelQuestion } from './cancel-question.tsx';
import { AttachItem, LogoItem, PhotoItem } from './picture-items.tsx';
import { QueuedItem } from './queued-item.tsx';
import { SendNow } from './send-now.tsx';
import { RejectedItem } from './rejected-item.tsx';
import { moveName, SentItems } from './sent-items.tsx';
import { useJobTitles } from '../../hooks/use-job-titles.ts';
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
  const unsynced = useUnsynced(context);
  const titleOf = useJobTitles();
  const isBusinessLost = useLostBusiness() !== undefined;
  const taken = useSent(context);
  const { way, sent } = useMoving(
    useMemo(() => ({ way: unsynced, sent: taken }), [unsynced, taken]),
    unsynced.state === 'ready' ? namesOf(unsynced.value) : '',
  );
  // What is said once nothing waits must be true of what was given up as well.
  const [hasGivenUp, setGivenUp] = useState(false);
  const onGivenUp = () => setGivenUp(true);
  const [asked, setAsked] = useState<OutboxEntry>();
  // Counted with the items: as it closes, the button that opened it may be gone.
  const isLeft =
    asked !== undefined &&
    way.state === 'ready' &&
    !way.value.outbox.some(({ uid, state }) => uid === asked.uid && state === 'new');
  useFocusKept(
    way.state === 'ready'
      ? way.value.outbox.length + way.value.rejected.length + way.value.photos.length + Number(isLeft)
      : 0,
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
  const { outbox, rejected, photos, logo } = way.value;
  const { changes, photos: photoCount, needPerson } = waitingOf(way.value);
  const attaches = attachesOf(way.value);
  const queued = outbox.filter((entry) => entry.name !== 'photo.attach');
  const isQuiet = changes + photoCount + needPerson === 0;
  return (
    <Page
      title={`Waiting to send (${changes + photoCount})`}
      actions={changes + photoCount > 0 && <SendNow attempt={way.value.attempt} />}
      lead={
        !isQuiet &&
        (changes + photoCount === 0 ? (
          'Nothing is waiting. What was not accepted needs you.'
        ) : (
          <>
            <p className={styles.lead}>{leadOf(kind, evictsAfterWeek, way.value)}</p>
            {evictsAfterWeek && (
              <p>
                Safari deletes what a website has saved after seven days in which you do not open it. What waits here
                would be gone with it.
              </p>
            )}
          </>
        ))
      }
    >
      <LostBusiness />
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
          {hasGivenUp && <p>What you cancelled or discarded is not on this phone any more.</p>}
        </EmptyState>
      )}
      {rejected.length > 0 && (
        <section className={styles.section} aria-labelledby="rejected">
          <h2 id="rejected">
            {words.notAccepted} ({rejected.length})
          </h2>
          <ul role="list" className={styles.list}>
            {rejected.map((entry) => (
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
              <li key={entry.uid} style={{ viewTransitionName: moveName(entry) }}>
                <QueuedItem
                  entry={entry}
                  jobTitle={titleOf(jobOf(entry))}
                  attempt={way.value.attempt}
                  isBusinessLost={isBusinessLost}
                  goTo={goTo}
                  onCancel={setAsked}
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
      {photos.length + attaches.length > 0 && (
        <section className={styles.section} aria-labelledby="photos">
          <h2 id="photos">Photos</h2>
          <ul role="list" className={styles.list}>
            {photos.map((photo) => (
              <li key={photo.id}>
                <PhotoItem photo={photo} jobTitle={titleOf(photo.jobId)} onGivenUp={onGivenUp} />
              </li>
            ))}
            {attaches.map((entry) => (
              <li key={entry.uid}>
                <AttachItem entry={entry} jobTitle={titleOf(jobOf(entry))} attempt={way.value.attempt} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <SentItems sent={sent} titleOf={titleOf} />
      {asked !== undefined && (
        <CancelQuestion
          entry={asked}
          jobTitle={titleOf(jobOf(asked))}
          hasLeft={isLeft}
          onClose={() => setAsked(undefined)}
          onGivenUp={onGivenUp}
        />
      )}
    </Page>
  );
}

/** More than these do not move: the browser draws each by itself first, and every change waits for that. */
const maxMoving = 20;

/** What is in the lists: where this differs, something leaves or comes. */
const namesOf = ({ outbox, rejected, photos }: UnsyncedNow) =>
  outbox.length + rejected.length + photos.length > maxMoving
    ? ''
    : [...outbox, ...rejected].map(({ uid }) => uid).join() + photos.map(({ id }) => id).join();

/** Is all that waits being restored? */
const isAllBeingRestored = ({ outbox, photos, logo }: UnsyncedNow): boolean =>
  logo === undefined && photos.length === 0 && outbox.length > 0 && outbox.every(isBeingRestored);

type Kind = ConnectionStatus['kind'];

/** What is being restored had been sent, and may wait for others: of that it is not said that it goes out by itself. */
function leadOf(kind: Kind, evictsAfterWeek: boolean, unsynced: UnsyncedNow): string {
  if (isAllBeingRestored(unsynced)) {
    const sends = kind === 'online' || kind === 'slow' ? 'We are sending' : `Once ${reached(kind)} we send`;
    return `Dwang was put back to an earlier copy. ${sends} these again.`;
  }
  const lead = whenSent(kind, evictsAfterWeek);
  if (!unsynced.outbox.some(isBeingRestored)) return lead;
  return `${lead.replace(/\.$/, '')}. What is being restored may wait for what it needs.`;
}

function whenSent(kind: Kind, evictsAfterWeek: boolean): string {
  if (isServerAway(kind)) return `${words.notReached}. These go out by themselves.`;
  if (evictsAfterWeek) return words.keepOpen;
  return kind === 'online' || kind === 'slow'
    ? 'These go out by themselves.'
    : "These go out by themselves when you're back in coverage.";
}
