import { useSessionContext } from '../../context/app-context.ts';
import type { Live } from '../../db/use-live.ts';
import { useRows } from '../../db/use-rows.ts';
import type { Interest, Tradie } from '../../../shared/tables/index.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InterestedTradie } from './interested-tradie.tsx';
import styles from './interested-tradies.module.css';

type Interested = readonly { readonly interest: Interest; readonly tradie: Tradie }[];

/** Who is interested in a job of one's own, with their contact details, the newest first. */
export function useInterested(jobId: string): Live<Interested> {
  const { db } = useSessionContext();
  return useRows(
    db,
    ['interests', 'tradies'],
    ({ interests, tradies }) =>
      [...interests.values()]
        .filter((interest) => interest.jobId === jobId)
        .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
        .flatMap((interest) => {
          const tradie = tradies.get(interest.tradieId);
          return tradie === undefined ? [] : [{ interest, tradie }];
        }),
    [jobId],
  );
}

/** The homeowner's switch, on where they have not said otherwise. */
function TellsSeen() {
  const { db, userId } = useSessionContext();
  const keep = useLocalWrite();
  const { may, enqueue } = useMutation('seen.tell', { id: userId });
  const tells = useRows(db, ['preferences'], ({ preferences }) => preferences.get(userId)?.tellsSeen ?? true, [userId]);
  return (
    <Checkbox
      isSelected={tells.state !== 'ready' || tells.value}
      onChange={(isOn) => void keep(() => enqueue({ id: userId, tells: isOn }))}
      isDisabled={!may}
    >
      Tell tradies when I have seen their interest
    </Checkbox>
  );
}

type InterestedTradiesProps = { readonly interested: Live<Interested>; readonly isClosed: boolean };

/** 'Interested Tradies (count)': only the owner ever sees these. */
export function InterestedTradies({ interested, isClosed }: InterestedTradiesProps) {
  const list = interested.state === 'ready' ? interested.value : [];
  return (
    <section className={styles.section} aria-labelledby="interested">
      <div className={styles.head}>
        <h2 id="interested">Interested Tradies ({list.length})</h2>
        {list.length > 1 && <p>Newest first</p>}
      </div>
      {interested.state === 'failed' && <p role="alert">We couldn't read who is interested. Reload the page.</p>}
      {interested.state === 'ready' && list.length === 0 && (
        <EmptyState level={3} title="No tradies have expressed interest yet">
          {isClosed ? undefined : <p>We’ll let you know here as soon as one does.</p>}
        </EmptyState>
      )}
      <ul role="list" className={styles.list}>
        {list.map(({ interest, tradie }) => (
          <li key={interest.id}>
            <InterestedTradie interest={interest} tradie={tradie} />
          </li>
        ))}
      </ul>
      {list.length > 0 && <TellsSeen />}
    </section>
  );
}
