import type { ReactNode } from 'react';
import type { TradieDetails } from '../../../shared/inlined.ts';
import { isSameBusinessName } from '../../../shared/lib/nzbn.ts';
import { VerifiedBadge } from '../../parts/verified-badge.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import type { TradieFacts } from './tradie-facts.ts';
import styles from './tradie-profile.module.css';

type TradieProfileProps = {
  readonly facts: Pick<TradieFacts, 'businessName' | 'logo' | 'description' | 'isVerified' | 'details'>;
  readonly trades: readonly string[];
  /** Town and region; undefined where they are not known. */
  readonly place: string | undefined;
  /** Back to where one came from; undefined in a document without the app, where it is a link to the directory. */
  readonly onBack?: () => void;
  readonly actions: ReactNode;
  /** Instead of the logo, or the initials. */
  readonly avatar?: ReactNode;
  /** Beside the badges, for the owner. */
  readonly ownBadge?: ReactNode;
  /** Email and phone, or the way to them. */
  readonly contact: ReactNode;
  /** The business's public details, or why they are not here. */
  readonly details: ReactNode;
  /** Above everything. */
  readonly notice?: ReactNode;
  /** Below everything. */
  readonly updated?: ReactNode;
};

/** A business as `/tradie/{id}` shows it, in the app and in its document. */
export function TradieProfile(props: TradieProfileProps) {
  const { facts, trades, place, avatar, ownBadge } = props;
  const registeredName = facts.details?.registeredName ?? '';
  const isOther = facts.isVerified && registeredName !== '' && !isSameBusinessName(facts.businessName, registeredName);
  return (
    <Page
      title={facts.businessName}
      width="wide"
      {...(props.onBack && { onBack: props.onBack })}
      backHref="/find-tradies"
      lead={place ?? '\u00a0'}
      actions={props.actions}
    >
      {props.notice}
      <div className={styles.columns}>
        <Card as="section" labelledBy="about">
          <div className={styles.head}>
            {avatar ?? <Avatar name={facts.businessName} src={facts.logo} size="lg" />}
            <div className={styles.badges}>
              {facts.isVerified && <VerifiedBadge />}
              {isOther && <Badge>Registered as {registeredName}</Badge>}
              {ownBadge}
              {trades.map((name) => (
                <Badge key={name}>{name}</Badge>
              ))}
            </div>
          </div>
          <h2 id="about" className={styles.aboutTitle}>
            About
          </h2>
          <p className={styles.about}>{facts.description === '' ? 'Nothing written here yet.' : facts.description}</p>
        </Card>
        <Card as="section" labelledBy="contact">
          <h2 id="contact">Contact information</h2>
          {props.contact}
        </Card>
        <Card as="section" labelledBy="details">
          <h2 id="details">Business details</h2>
          {props.details}
        </Card>
      </div>
      {props.updated}
    </Page>
  );
}

type DetailsListProps = { readonly details: TradieDetails; readonly isOwn: boolean };

/** Its owner sees what the register calls them; others see that beside the name, where it is another. */
export function DetailsList({ details, isOwn }: DetailsListProps) {
  const rows = [
    ['NZBN', details.nzbn],
    ['Registered as', isOwn ? details.registeredName : ''],
    ['Contact person', details.contactPerson],
    ['Business address', details.businessAddress],
  ].filter(([, value]) => value !== '');
  return (
    <dl className={styles.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
