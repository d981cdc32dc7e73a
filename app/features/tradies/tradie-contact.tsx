import { formatPhone } from '../../../shared/lib/phone.ts';
import { useAuthState } from '../../context/app-context.ts';
import { useReached } from '../../hooks/use-offline-reason.ts';
import { ContactWay } from '../../parts/contact-way.tsx';
import { SignInForContact } from './sign-in-for-contact.tsx';
import styles from './tradie-contact.module.css';
import type { TradieContact as Contact, TradieFacts } from './tradie-facts.ts';

type TradieContactProps = { readonly facts: TradieFacts; readonly isAsking: boolean };

/** Email and phone, for those who are signed in. */
export function TradieContact({ facts, isAsking }: TradieContactProps) {
  const authState = useAuthState();
  const reached = useReached();
  if (authState.kind === 'starting') return <p className={styles.soft}>Looking who is here</p>;
  if (authState.kind !== 'signed-in') return <SignInForContact />;
  if (facts.contact !== undefined) return <Ways name={facts.businessName} contact={facts.contact} />;
  return (
    <p className={styles.soft}>
      {isAsking
        ? 'Fetching contact details'
        : `Contact details are not saved on this phone yet. They come when ${reached}.`}
    </p>
  );
}

function Ways({ name, contact: { email, phone } }: { readonly name: string; readonly contact: Contact }) {
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
