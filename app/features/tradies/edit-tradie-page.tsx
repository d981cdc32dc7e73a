import { useSessionContext, useAuthState } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { PleaseSignIn } from '../../parts/please-sign-in.tsx';
import { useOfflineReason, useReached } from '../../hooks/use-offline-reason.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { words } from '../../words/common-words.ts';
import { EditTradieForm } from './edit-tradie-form.tsx';

type EditTradiePageProps = { readonly onBack: () => void };

/** `/edit-tradie`: a tradie's own profile, also without signal. */
export function EditTradiePage(props: EditTradiePageProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in') return <Member {...props} />;
  return (
    <Page title="Edit Profile">
      <PleaseSignIn title="Please sign in to edit your profile" />
    </Page>
  );
}

function Member(props: EditTradiePageProps) {
  const { db, userId } = useSessionContext();
  const person = usePerson();
  const lists = useReference();
  const tradie = useRows(
    db,
    ['tradies'],
    ({ tradies }) => [...tradies.values()].find((row) => row.userId === userId) ?? null,
    [userId],
  );
  const refused = useRows(
    db,
    ['refused'],
    (rows) => [...rows.refused.values()].findLast((entry) => entry.name === 'profile.edit') ?? null,
    [],
  );
  const isAway = useOfflineReason() !== undefined;
  const reached = useReached();

  if (person.state === 'failed' || tradie.state === 'failed' || refused.state === 'failed') {
    return (
      <Page title="Edit Profile" width="wide">
        <EmptyState picture="lost" title="We couldn't read what is saved on this phone">
          <p>Reload the page. Nothing has been thrown away.</p>
        </EmptyState>
      </Page>
    );
  }
  const isReading = person.state === 'reading' || tradie.state === 'reading' || refused.state === 'reading';
  if (!isReading && person.value !== null && !person.value.isTradie) {
    return (
      <Page title="Edit Profile" width="wide">
        <EmptyState
          title="You don't have a tradie profile"
          action={
            <LinkButton href="/become-tradie" variant="primary">
              Become a Tradie
            </LinkButton>
          }
        />
      </Page>
    );
  }
  if (isReading || tradie.value === null) {
    return (
      <Page title="Edit Profile" width="wide">
        {isAway && !isReading ? (
          <EmptyState picture="offline" title={words.notHere}>
            <p>Your profile comes onto this phone the first time {reached}.</p>
          </EmptyState>
        ) : (
          <Spinner size="lg" label="Loading your profile" />
        )}
      </Page>
    );
  }
  if (lists.isLoading && !isAway) {
    return (
      <Page title="Edit Profile" width="wide">
        <Spinner size="lg" label="Loading your profile" />
      </Page>
    );
  }
  return <EditTradieForm {...props} tradie={tradie.value} rejected={refused.value ?? undefined} lists={lists} />;
}
