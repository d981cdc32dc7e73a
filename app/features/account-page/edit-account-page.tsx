import { useState } from 'react';
import { useApp, useSessionContext, useOpenSignIn, useAuthState } from '../../context/app-context.ts';
import { LostBusiness } from '../../parts/come-back.tsx';
import { PleaseSignIn } from '../../parts/please-sign-in.tsx';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useOfflineReason, useReached } from '../../hooks/use-offline-reason.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { useWatched } from '../../context/use-watched.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { supportEmail, words } from '../../words/common-words.ts';
import styles from './edit-account-page.module.css';
import { AlertsCard } from './alerts-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SubscriptionCard } from './subscription-card.tsx';

const title = 'Manage Account';
const loadNotes = () => import('../../parts/prepared-notes.tsx');

type EditAccountPageProps = {
  /** Why the mailed link that led here chooses no password. */
  readonly whyNoLink: string | undefined;
};

/** `/edit-account`: what the account is, its password, where it is signed in, and a tradie's subscription. */
export function EditAccountPage({ whyNoLink }: EditAccountPageProps) {
  const authState = useAuthState();
  const link = useWatched(useApp().authRedirect.progress);
  if (authState.kind === 'signed-in')
    return (
      <Account
        key={authState.context.userId}
        email={authState.email}
        lacksProfile={authState.lacksProfile}
        whyNoLink={whyNoLink}
      />
    );
  if (link === 'signing-in')
    return (
      <Page title={title} width="wide">
        <Spinner size="lg" label={words.signingIn} />
      </Page>
    );
  return (
    <Page title={title} width="wide">
      {link === 'failed' && (
        <Banner tone="warn" title={words.linkFailed} announce="alert">
          Reload this page to try it again.
        </Banner>
      )}
      <LinkFailed why={whyNoLink}>For a new one choose “Forgot password?” where you sign in.</LinkFailed>
      <PleaseSignIn title="Please sign in to edit your account" />
    </Page>
  );
}

function LinkFailed({ why, children }: { readonly why: string | undefined; readonly children: string }) {
  if (why === undefined) return null;
  return (
    <Banner tone="warn" title="This link has been used, or is too old" announce="alert">
      {why}. {children}
    </Banner>
  );
}

type AccountProps = EditAccountPageProps & { readonly email: string; readonly lacksProfile: boolean };

function Account({ email, lacksProfile, whyNoLink }: AccountProps) {
  const openSignIn = useOpenSignIn();
  const { userId } = useSessionContext();
  const app = useApp();
  const { connection } = app;
  const choice = useWatched(app.choosesPassword);
  const reason = choice?.userId === userId ? choice.reason : undefined;
  // Stays where it is once it was chosen: who is in it must not lose their place.
  const [isPasswordFirst, setPasswordFirst] = useState(false);
  if ((reason ?? whyNoLink) !== undefined && !isPasswordFirst) setPasswordFirst(true);
  const person = usePerson();
  const isAway = useOfflineReason() !== undefined;
  const reached = useReached();
  const { lastSynced } = useWatched(connection);

  if (person.state === 'failed') {
    return (
      <Page title={title} width="wide">
        <EmptyState picture="lost" title="We couldn't read what is saved on this phone">
          <p>Reload the page. Nothing has been thrown away.</p>
        </EmptyState>
      </Page>
    );
  }
  // For a person without a profile no row will come.
  if (person.state === 'reading' || (person.value === null && !lacksProfile && !isAway && lastSynced === null)) {
    return (
      <Page title={title} width="wide">
        <Spinner size="lg" label="Loading your account" />
      </Page>
    );
  }
  const user = person.value?.user;
  // To come back is what a tradie whose subscription does not run is here for.
  const hasLapsed = person.value?.isTradie === true && !person.value.hasSubscription;
  const passwordCard = <PasswordCard email={user?.email ?? email} reason={reason} isSecond={hasLapsed} />;
  return (
    <Page title={title} width="wide">
      <LinkFailed why={whyNoLink}>You are signed in: choose a new one under Reset Password, without a link.</LinkFailed>
      <LostBusiness />
      <div className={styles.columns}>
        <div className={styles.stack}>
          {isPasswordFirst && passwordCard}
          <Card as="section" labelledBy="account-information">
            <h2 id="account-information">Account Information</h2>
            {user === undefined && (
              <Banner
                tone="info"
                announce="none"
                actions={!isAway && <Button onPress={openSignIn}>Complete Profile</Button>}
              >
                {isAway
                  ? `${words.notHere}: your name comes when ${reached}.`
                  : 'Complete your profile to add your name.'}
              </Banner>
            )}
            <TextField label="Email" type="email" isReadOnly value={user?.email ?? email} />
            <div className={styles.pair}>
              <TextField label="First name" isReadOnly value={user?.firstName ?? ''} />
              <TextField label="Last name" isReadOnly value={user?.lastName ?? ''} />
            </div>
            <p className={styles.note}>
              Your email and name can’t be changed here, nor can your account be deleted here. Write to{' '}
              <a href={`mailto:${supportEmail}`}>{supportEmail}</a> and we’ll sort it within 3 business days.
            </p>
          </Card>
          {!isPasswordFirst && passwordCard}
          {user !== undefined && user.tradieId !== null && <SubscriptionCard user={user} />}
          {user !== undefined && user.tradieId !== null && <PreparedNotesCard />}
        </div>
        <div className={styles.stack}>
          {user !== undefined && <AlertsCard isTradie={user.tradieId !== null} />}
          <DevicesCard key={`devices-${userId}`} />
        </div>
      </div>
    </Page>
  );
}

/**
 * A tradie's texts to answer jobs with. Loaded by itself, as in the form that they are for, so that neither page
 * carries it for the other.
 */
function PreparedNotesCard() {
  const { log } = useApp();
  const part = useDeferredImport(true, loadNotes, (error) => log('prepared-notes', String(error)));
  return (
    <Card as="section" labelledBy="prepared-notes">
      <h2 id="prepared-notes">Prepared notes</h2>
      {part !== undefined && <part.PreparedNotes />}
    </Card>
  );
}
