import { useEffect, useRef, useState } from 'react';
import { formatPhone } from '../../../shared/lib/phone.ts';
import type { Interest, Tradie } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useNotSaved } from '../../hooks/not-saved.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { ContactWay } from '../../parts/contact-way.tsx';
import { VerifiedBadge } from '../../parts/verified-badge.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatAge } from '../../words/dates.ts';
import { errorWords } from '../../words/error-words.ts';
import styles from './interested-tradie.module.css';

// The dashboard shows this too, and most who look at it write no note.
const loadNoteForm = () => import('./owner-note-form.tsx');

type InterestedTradieProps = { readonly interest: Interest; readonly tradie: Tradie };

/** One tradie who would like the job: who, what they say, and the ways to reach them, the telephone first. */
export function InterestedTradie({ interest, tradie }: InterestedTradieProps) {
  const { now } = useApp();
  const tick = useMutation('interest.tick', interest);
  const notSaved = useNotSaved();
  const isNew = useSeen(interest);
  const onTick = async (contacted: boolean) => {
    try {
      await tick.enqueue({ id: interest.id, contacted });
      notSaved.isOver();
    } catch (error) {
      notSaved.tell(error, 'Could not be saved');
    }
  };
  return (
    <Card as="article" labelledBy={`tradie-${interest.id}`}>
      <div className={styles.head}>
        <Avatar name={tradie.businessName} src={tradie.logo} />
        <div className={styles.words}>
          <h3 id={`tradie-${interest.id}`}>{tradie.businessName}</h3>
          <p className={styles.since}>
            {tradie.isVerified && <VerifiedBadge />}
            <time dateTime={interest.createdAt}>{formatAge(interest.createdAt, now())}</time>
            {isNew && <Badge tone="good">New</Badge>}
          </p>
        </div>
      </div>
      {interest.note === '' ? (
        <p className={styles.since}>No note.</p>
      ) : (
        <blockquote className={styles.note}>{interest.note}</blockquote>
      )}
      <Ways tradie={tradie} isContacted={interest.contactedAt !== null} />
      <OwnerNote interest={interest} />
      <div className={styles.foot}>
        <Checkbox isSelected={interest.contactedAt !== null} onChange={onTick} isDisabled={!tick.may}>
          Contacted (only you see this)
        </Checkbox>
        <TextLink href={`/tradie/${tradie.id}`} className={styles.profile ?? ''}>
          View Profile
        </TextLink>
      </div>
    </Card>
  );
}

/** Once contacted no way stands out any more: another tradie is next. */
function Ways({ tradie, isContacted }: { readonly tradie: Tradie; readonly isContacted: boolean }) {
  const { businessName: name, contactPhone: phone, email } = tradie;
  const call = `Call ${phone === null ? '' : formatPhone(phone)}`;
  return (
    <div className={styles.reach}>
      <ul role="list" className={styles.ways}>
        {phone !== null && (
          <>
            <ContactWay
              icon="phoneCall"
              href={`tel:${phone}`}
              label={`${call}, ${name}`}
              text={call}
              isFirst={!isContacted}
            />
            <ContactWay icon="message" href={`sms:${phone}`} label={`Message ${name}`} text="Message" />
          </>
        )}
        <ContactWay
          icon="mail"
          href={`mailto:${email}`}
          label={`Email ${name}`}
          text="Email"
          isFirst={phone === null && !isContacted}
        />
      </ul>
      <p className={styles.address}>
        {email}
        {phone === null && ' · no phone given'}
      </p>
    </div>
  );
}

/** The owner's own words on a tradie: "Rang, comes on Monday". No other person ever sees them. */
function OwnerNote({ interest }: { readonly interest: Interest }) {
  const { toasts } = useApp();
  const [isWriting, setWriting] = useState(false);
  const form = useDeferredImport(isWriting, loadNoteForm, (error) => {
    setWriting(false);
    toasts.show({ title: 'Error', description: errorWords(error, 'Could not be opened'), variant: 'destructive' });
  });
  const kept = interest.ownerNote ?? '';
  if (isWriting && form !== undefined)
    return <form.OwnerNoteForm interest={interest} onDone={() => setWriting(false)} />;
  return (
    <div className={styles.own}>
      {kept !== '' && <p className={styles.note}>Your note: {kept}</p>}
      <Button variant="plain" icon="edit" isBusy={isWriting} onPress={() => setWriting(true)}>
        {kept === '' ? 'Add a note for yourself' : 'Change your note'}
      </Button>
    </div>
  );
}

/** Notes that the owner has opened this interest. True for as long as it stands on the screen for the first time. */
function useSeen(interest: Interest): boolean {
  const { log } = useApp();
  const { may, enqueue } = useMutation('interest.see', interest);
  const [isNew] = useState(interest.seenAt === null);
  const isNoted = useRef(false);
  useEffect(() => {
    if (!may || interest.seenAt !== null || isNoted.current) return;
    isNoted.current = true;
    // The person has asked for nothing: where it cannot be kept, it counts as new the next time.
    enqueue({ id: interest.id }).catch((error: unknown) =>
      log('seen-unkept', error instanceof Error ? error.name : ''),
    );
  }, [enqueue, interest.id, interest.seenAt, log, may]);
  return isNew;
}
