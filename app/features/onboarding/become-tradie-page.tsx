import { useSessionContext, useOpenSignIn, useAuthState, type SignedIn } from '../../context/app-context.ts';
import { useRows } from '../../db/use-rows.ts';
import { PleaseSignIn } from '../../parts/please-sign-in.tsx';
import { useLostBusiness, usePerson } from '../../hooks/use-person.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { BecomeTradieForm } from './become-tradie-form.tsx';
import { businessLost } from '../../words/why-not-sent.ts';
import { priceWords } from '../../words/price-words.ts';
import styles from './become-tradie.module.css';
import { emptyOnboarding, type OnboardingForm } from './onboarding-form.ts';

type BecomeTradiePageProps = { readonly onBack: () => void };

const title = 'Become a Tradie';

/** `/become-tradie`: the business, then the payment page. */
export function BecomeTradiePage(props: BecomeTradiePageProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in') return <Member {...props} authState={authState} />;
  return (
    <Page title={title}>
      <PleaseSignIn title="Please sign in to continue" intention="become-tradie" />
    </Page>
  );
}

function Member({ onBack, authState }: BecomeTradiePageProps & { readonly authState: SignedIn }) {
  const { db, userId } = useSessionContext();
  const openSignIn = useOpenSignIn();
  const person = usePerson();
  const lost = useLostBusiness();
  const { isReading } = useReference();
  const tradie = useRows(
    db,
    ['tradies'],
    ({ tradies }) => [...tradies.values()].find((row) => row.userId === userId) ?? null,
    [userId],
  );

  if (person.state === 'reading' || tradie.state === 'reading' || isReading) {
    return (
      <Page title={title} width="wide">
        <Spinner size="lg" label="Loading" />
      </Page>
    );
  }
  const user = person.state === 'ready' ? person.value?.user : undefined;
  if (person.state === 'ready' && person.value?.hasSubscription === true && user !== undefined) {
    return (
      <Page title={title} width="wide">
        <EmptyState
          picture="done"
          title="You're a tradie already"
          action={
            <div className={styles.actions}>
              <LinkButton href={`/tradie/${user.tradieId ?? ''}`} variant="primary">
                View Profile
              </LinkButton>
              <LinkButton href="/find-jobs">Find Jobs</LinkButton>
            </div>
          }
        >
          <p>Your subscription is running.</p>
        </EmptyState>
      </Page>
    );
  }
  const before = tradie.state === 'ready' ? tradie.value : null;
  const filledIn = before ?? lost;
  const begin: OnboardingForm =
    filledIn === undefined
      ? emptyOnboarding
      : {
          ...emptyOnboarding,
          nzbn: filledIn.nzbn,
          businessName: filledIn.businessName,
          businessAddress: filledIn.businessAddress,
          categoryIds: filledIn.categoryIds,
          contactPhone: filledIn.contactPhone ?? '',
          description: filledIn.description,
          place: { region: '', locationId: filledIn.locationId ?? '' },
        };
  return (
    <Page
      title={title}
      width="wide"
      onBack={onBack}
      lead={
        filledIn === undefined
          ? `${priceWords.withTrial}. Every active job in the country, no lead fees.`
          : 'Browse every active job in the country and answer the ones you like. One flat price, no lead fees.'
      }
    >
      {authState.lacksProfile && (
        <Banner
          tone="info"
          title="One more step first"
          actions={<Button onPress={openSignIn}>Complete Profile</Button>}
          announce="none"
        >
          Add your name to finish your account. What you fill in here is kept on this phone.
        </Banner>
      )}
      {lost !== undefined && (
        <Banner tone="warn" title={businessLost} announce="none">
          Check what this phone had of it, choose your logo again and continue. You won’t be charged twice.
        </Banner>
      )}
      {before !== null && (
        <Banner tone="info" title="Your subscription isn't running" announce="none">
          Check your details and continue to payment to start it again. There is one free trial for each business, so
          you pay from the first day.
        </Banner>
      )}
      <BecomeTradieForm
        begin={begin}
        email={user?.email ?? authState.email}
        lacksProfile={authState.lacksProfile}
        keptLogo={before?.logo ?? ''}
        isReturning={filledIn !== undefined}
      />
    </Page>
  );
}
