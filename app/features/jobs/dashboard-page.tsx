import { useHouse, useOpenSignIn, useWho } from '../../app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { usePerson } from '../../lib/use-person.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { DashboardCards } from './dashboard-cards.tsx';
import { DashboardJobs } from './dashboard-jobs.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { SignInPrompt } from './sign-in-prompt.tsx';

type DashboardPageProps = {
  /** The green banner after a job was posted; stays until it is dismissed. */
  readonly wasPosted: boolean;
  readonly onDismissPosted: () => void;
};

export function DashboardPage(props: DashboardPageProps) {
  const who = useWho();
  if (who.kind !== 'signed-in') {
    return (
      <Page title="Dashboard">
        <SignInPrompt title="Please sign in to see your dashboard" />
      </Page>
    );
  }
  return <Dashboard {...props} lacksProfile={who.lacksProfile} />;
}

function Dashboard({ wasPosted, onDismissPosted, lacksProfile }: DashboardPageProps & { readonly lacksProfile: boolean }) {
  const { db, userId } = useHouse();
  const openSignIn = useOpenSignIn();
  const person = usePerson();
  const tradieId = person.state === 'ready' ? (person.value?.user.tradieId ?? null) : null;
  const posted = useLive(() => db.jobs.where('userId').equals(userId).toArray(), [db, userId]);
  const interested = useLive(async () => {
    if (tradieId === null) return [];
    const interests = await db.interests.where('tradieId').equals(tradieId).toArray();
    const jobs = await db.jobs.bulkGet(interests.map((interest) => interest.jobId));
    return jobs.filter((job) => job !== undefined);
  }, [db, tradieId]);

  const reads = [person, posted, interested];
  const failed = reads.some((read) => read.state === 'failed');
  return (
    <Page title="Dashboard" width="wide">
      {wasPosted && (
        <Banner tone="good" onDismiss={onDismissPosted}>
          Easy as! Tradies can see your posted job and will express interest, sorted.
        </Banner>
      )}
      {lacksProfile && (
        <Banner tone="info" title="One more step" actions={<Button onPress={openSignIn}>Complete Profile</Button>} announce="none">
          Add your name to finish your account. What you post until then is kept on this phone.
        </Banner>
      )}
      {failed && (
        <Banner tone="bad" title="We couldn't read what is saved on this phone">
          Reload the page. Nothing has been thrown away.
        </Banner>
      )}
      {person.state === 'ready' && posted.state === 'ready' && interested.state === 'ready' ? (
        <>
          <DashboardCards tradieId={tradieId} />
          {tradieId !== null && <DashboardJobs kind="interested" jobs={interested.value} />}
          <DashboardJobs kind="posted" jobs={posted.value} />
        </>
      ) : (
        !failed && <DashboardSkeleton />
      )}
    </Page>
  );
}
