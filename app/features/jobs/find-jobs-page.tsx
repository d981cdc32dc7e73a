import { useAuthState } from '../../context/app-context.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { Page } from '../../ui/page.tsx';
import { BrowseJobs, type BrowseJobsProps } from './browse-jobs.tsx';
import { FirstVisit, LoadingList, SubscriptionRequired, TradiesOnly, Unreadable } from './find-jobs-states.tsx';
import { SignInPrompt } from './sign-in-prompt.tsx';

/** The gates come first: signed out, no tradie, no subscription. */
export function FindJobsPage(props: BrowseJobsProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in') return <Gates {...props} />;
  return (
    <Page title="Find Jobs" width="wide">
      <SignInPrompt title="Please sign in to browse jobs" />
    </Page>
  );
}

function Gates(props: BrowseJobsProps) {
  const person = usePerson();
  if (person.state === 'reading') {
    return (
      <Page title="Find Jobs" width="full">
        <LoadingList label="Reading what is saved on this phone" />
      </Page>
    );
  }
  if (person.state === 'failed') return <Unreadable />;
  if (person.value === null) return <FirstVisit />;
  if (!person.value.isTradie) return <TradiesOnly />;
  if (!person.value.hasSubscription) return <SubscriptionRequired user={person.value.user} />;
  return <BrowseJobs {...props} person={person.value} />;
}
