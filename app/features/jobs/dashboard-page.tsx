import { useState, type ReactNode } from 'react';
import { useApp, useSessionContext, useOpenSignIn, useAuthState } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { OfferedAlerts } from '../../parts/offered-alerts.tsx';
import { Updated } from '../../parts/updated.tsx';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { useLostBusiness, usePerson } from '../../hooks/use-person.ts';
import { useSent } from '../../hooks/use-sent.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { words } from '../../words/common-words.ts';
import { reached } from '../../words/reach-words.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { DashboardCards } from './dashboard-cards.tsx';
import { DashboardJobs } from './dashboard-jobs.tsx';
import { DashboardNews } from './dashboard-news.tsx';
import { useLastVisit } from './last-visit.ts';
import { SignInPrompt } from './sign-in-prompt.tsx';
import { useNews } from './use-news.ts';

type DashboardPageProps = {
  /** The green banner after a job was posted; stays until it is dismissed. */
  readonly wasPosted: boolean;
  readonly onDismissPosted: () => void;
  /** One comes from posting a job, which is what one wants to see. */
  readonly hasNewJob: boolean;
  /** What was begun elsewhere and not finished. */
  readonly unfinished: ReactNode;
};

export function DashboardPage(props: DashboardPageProps) {
  const authState = useAuthState();
  if (authState.kind !== 'signed-in') {
    return (
      <Page title="Dashboard" width="wide">
        <SignInPrompt title="Please sign in to see your dashboard" />
      </Page>
    );
  }
  return <Dashboard {...props} lacksProfile={authState.lacksProfile} needsSignIn={authState.needsSignIn} />;
}

/** Room for what one can do beside the heading: as in dashboard-cards.module.css. */
const desktop = '(min-width: 60rem)';
const loadComeBack = () => import('../../parts/come-back.tsx');

const signInAgain = (
  <p>Sign in again to get your jobs from Dwang. You can post a new one now; it goes out once you have signed in.</p>
);

function Dashboard({
  wasPosted,
  onDismissPosted,
  hasNewJob,
  unfinished,
  lacksProfile,
  needsSignIn,
}: DashboardPageProps & { readonly lacksProfile: boolean; readonly needsSignIn: boolean }) {
  const context = useSessionContext();
  const { db, userId } = context;
  const openSignIn = useOpenSignIn();
  const { isReading } = useReference();
  const way = useUnsynced(context);
  const posted = useRows(db, ['jobs'], ({ jobs }) => [...jobs.values()].filter((job) => job.userId === userId), [
    userId,
  ]);
  // Both come from one query: with the jobs as a second one, the page would wait anew when the person becomes a tradie,
  // and the focus would be lost.
  const person = useRows(
    db,
    ['users', 'interests', 'jobs', 'shadow'],
    ({ users, interests, jobs, shadow }) => {
      const user = users.get(userId);
      const tradieId = user?.tradieId ?? null;
      const own = tradieId === null ? [] : [...interests.values()].filter((interest) => interest.tradieId === tradieId);
      // One that waits here still was never sent, whatever its row says.
      const sent = own.filter(({ id }) => !shadow.has(`interests,${id}`));
      return {
        isHere: user !== undefined,
        tradieId,
        interested: own.flatMap(({ jobId }) => jobs.get(jobId) ?? []),
        sentAt: new Map(sent.map(({ jobId, createdAt }) => [jobId, createdAt])),
        seen: new Set(own.filter(({ isSeen }) => isSeen).map(({ jobId }) => jobId)),
      };
    },
    [userId],
  );

  // No answer of the server and no own change is here yet: that is not the same as having posted nothing.
  const isFirst =
    person.state === 'ready' &&
    !person.value.isHere &&
    !lacksProfile &&
    posted.state === 'ready' &&
    posted.value.length === 0;
  const self = usePerson();
  const news = useNews();
  useLastVisit('home');
  const reads = [person, posted];
  const failed = reads.some((read) => read.state === 'failed');
  const me = self.state === 'ready' ? self.value : null;
  const isLapsed = me !== null && me.isTradie && !me.hasSubscription;
  // Few need it: fetched for those who do. It stands above the cards, so they wait for it, and do without it where it
  // cannot come.
  const [lacksComeBack, setLacksComeBack] = useState(false);
  const isLost = useLostBusiness() !== undefined;
  const needsMending = isLapsed || isLost;
  const comeBack = useDeferredImport(needsMending, loadComeBack, () => setLacksComeBack(true));
  const isDesktop = useMedia(desktop);
  const onItsWay = way.state === 'ready' ? way.value : undefined;
  const sent = useSent(context);
  const sentAbout = (jobId: string) => sent.find((note) => jobOf(note) === jobId)?.at;
  // Unsynced changes, too: their words on a job would push down the jobs below.
  const isShown =
    person.state === 'ready' &&
    posted.state === 'ready' &&
    way.state !== 'reading' &&
    self.state !== 'reading' &&
    news.state !== 'reading' &&
    !(needsMending && comeBack === undefined && !lacksComeBack) &&
    !isReading &&
    !isFirst;
  return (
    <Page
      title="Dashboard"
      width="wide"
      lead={<Updated />}
      actions={isDesktop && isShown && <DashboardCards tradieId={person.value.tradieId} isSecond={needsMending} />}
    >
      {wasPosted && (
        <Banner tone="good" onDismiss={onDismissPosted}>
          Easy as! Tradies can see your posted job and will express interest, sorted.
        </Banner>
      )}
      <OfferedAlerts after="job" />
      {lacksProfile && (
        <Banner
          tone="info"
          title="One more step"
          actions={<Button onPress={openSignIn}>Complete Profile</Button>}
          announce="none"
        >
          Add your name to finish your account. What you post until then is kept on this phone.
        </Banner>
      )}
      {failed && (
        <Banner tone="bad" title="We couldn't read what is saved on this phone">
          Reload the page. Nothing has been thrown away.
        </Banner>
      )}
      {isFirst && (needsSignIn ? <SignInPrompt title={words.notHere}>{signInAgain}</SignInPrompt> : <FirstVisit />)}
      {isShown ? (
        <>
          {me !== null && isLapsed && (
            <Banner tone="warn" title="Your subscription isn't running" announce="none">
              {comeBack !== undefined && <comeBack.ComeBack user={me.user} />}
            </Banner>
          )}
          {isLost ? comeBack !== undefined && <comeBack.LostBusiness /> : unfinished}
          {!isDesktop && <DashboardCards tradieId={person.value.tradieId} isSecond={needsMending} />}
          {news.state === 'ready' && <DashboardNews news={news.value} onItsWay={onItsWay} />}
          {person.value.tradieId !== null && (
            <DashboardJobs
              kind="interested"
              jobs={person.value.interested}
              sentAt={({ id }) => person.value.sentAt.get(id)}
              isSeen={({ id }) => person.value.seen.has(id)}
              onItsWay={onItsWay}
              isMain
            />
          )}
          <DashboardJobs
            kind="posted"
            jobs={posted.value}
            sentAt={({ id, createdAt }) => sentAbout(id) ?? createdAt}
            onItsWay={onItsWay}
            isMain={person.value.tradieId === null}
            showsNewest={hasNewJob}
          />
        </>
      ) : (
        !failed && !isFirst && <SkeletonCards label="Reading your jobs" />
      )}
    </Page>
  );
}

/** Just signed in on this device. One may post at once, also without signal. */
function FirstVisit() {
  const { connection } = useApp();
  const { kind } = useWatched(connection);
  if (kind === 'online' || kind === 'slow') return <SkeletonCards label="Fetching your jobs" />;
  return (
    <EmptyState
      picture="offline"
      title={words.notHere}
      action={
        <LinkButton href="/post-job" variant="primary">
          Post a New Job
        </LinkButton>
      }
    >
      <p>Your jobs come onto this phone the first time {reached(kind)}. You can post a new one now.</p>
    </EmptyState>
  );
}
