import { formatPhone } from '../../../shared/lib/phone.ts';
import type { Interest, Tradie } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { ContactWay } from '../../parts/contact-way.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatDay } from '../../words/dates.ts';
import { faultWords } from '../../words/fault-words.ts';
import styles from './interested-tradie.module.css';

type InterestedTradieProps = { readonly interest: Interest; readonly tradie: Tradie };

/** One tradie who would like the job: who, what they say, and three ways to reach them. */
export function InterestedTradie({ interest, tradie }: InterestedTradieProps) {
  const { toasts } = useApp();
  const tick = useMutation('interest.tick', interest);
  const onTick = async (contacted: boolean) => {
    try {
      await tick.enqueue({ id: interest.id, contacted });
    } catch (fault) {
      toasts.show({ title: 'Error', description: faultWords(fault, 'Could not be saved'), variant: 'destructive' });
    }
  };
  const name = tradie.businessName;
  return (
    <Card as="article" labelledBy={`tradie-${interest.id}`}>
      <div className={styles.head}>
        <Avatar name={name} src={tradie.logo} />
        <div className={styles.words}>
          <h3 id={`tradie-${interest.id}`}>{name}</h3>
          <p className={styles.since}>Interested since {formatDay(interest.createdAt)}</p>
        </div>
        <TextLink href={`/tradie/${tradie.id}`} className={styles.profile ?? ''}>
          View Profile
        </TextLink>
      </div>
      {interest.note !== '' && <blockquote className={styles.note}>{interest.note}</blockquote>}
      <ul role="list" className={styles.ways}>
        {tradie.contactPhone !== null && (
          <>
            <ContactWay
              icon="phoneCall"
              href={`tel:${tradie.contactPhone}`}
              label={`Call ${name}`}
              text={formatPhone(tradie.contactPhone)}
            />
            <ContactWay icon="message" href={`sms:${tradie.contactPhone}`} label={`Text ${name}`} text="Text message" />
          </>
        )}
        <ContactWay icon="mail" href={`mailto:${tradie.email}`} label={`Email ${name}`} text={tradie.email} />
      </ul>
      <Checkbox isSelected={interest.contactedAt !== null} onChange={onTick} isDisabled={!tick.may}>
        Contacted (only you see this)
      </Checkbox>
    </Card>
  );
}
