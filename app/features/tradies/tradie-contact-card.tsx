import { formatPhone } from '../../../shared/lib/phone.ts';
import { useOpenSignIn, useAuthState } from '../../context/app-context.ts';
import { useReached } from '../../hooks/use-offline-reason.ts';
import { ContactWay } from '../../parts/contact-way.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import styles from './tradie-contact-card.module.css';
import type { TradieContact, TradieFacts } from './tradie-facts.ts';

type TradieContactCardProps = { readonly facts: TradieFacts; readonly isAsking: boolean };

/** Email and phone, for those who are signed in. */
export function TradieContactCard({ facts, isAsking }: TradieContactCardProps) {
  return (
    <Card as="section" labelledBy="contact">
      <h2 id="contact">Contact information</h2>
      <Contact facts={facts} isAsking={isAsking} />
    </Card>
  );
}

function Contact({ facts, isAsking }: TradieContactCardProps) {
  const authState = useAuthState();
  const openSignIn = useOpenSignIn();
  const reached = useReached();
  if (authState.kind === 'starting') return <p className={styles.soft}>Looking who is here</p>;
  if (authState.kind !== 'signed-in') {
    return (
      <>
        <p>Sign in to view contact information and connect with this tradie</p>
        <div>
          <Button variant="primary" onPress={openSignIn}>
            Sign In
          </Button>
        </div>
      </>
    );
  }
  if (facts.contact !== undefined) return <Ways name={facts.businessName} contact={facts.contact} />;
  return (
    <p className={styles.soft}>
      {isAsking
        ? 'Fetching contact details'
        : `Contact details are not saved on this phone yet. They come when ${reached}.`}
    </p>
  );
}

function Ways({ name, contact: { email, phone } }: { readonly name: string; readonly contact: TradieContact }) {
  return (
    <ul role="list" className={styles.ways}>
      {phone !== null && phone !== '' && (
        <ContactWay
          icon="phoneCall"
          href={`tel:${phone}`}
          label={`Call ${name}: ${formatPhone(phone)}`}
          text={formatPhone(phone)}
        />
      )}
      <ContactWay icon="mail" href={`mailto:${email}`} label={`Email ${name}: ${email}`} text={email} />
    </ul>
  );
}
