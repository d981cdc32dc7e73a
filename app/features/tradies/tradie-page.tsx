import { useMemo } from 'react';
import { useApp, useAuthState, type SessionContext } from '../../context/app-context.ts';
import { ShareButton } from '../../parts/share-button.tsx';
import { useReached } from '../../hooks/use-offline-reason.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { placeName } from '../../lib/reference-lists.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { formatInstant } from '../../words/dates.ts';
import { ProfileStateBadge } from './profile-state-badge.tsx';
import { TradieContact } from './tradie-contact.tsx';
import type { TradieFacts } from './tradie-facts.ts';
import { TradieMissing } from './tradie-missing.tsx';
import styles from './tradie-page.module.css';
import { DetailsList, TradieProfile } from './tradie-profile.tsx';
import { useTradie, type FoundTradie } from './use-tradie.ts';
import { inlinedTradie } from './inlined.ts';

type TradiePageProps = { readonly id: string; readonly onBack: () => void };

/** `/tradie/{id}`: public; contacts only for those who are signed in. */
export function TradiePage(props: TradiePageProps) {
  const authState = useAuthState();
  return authState.kind === 'signed-in' ? (
    <MemberView {...props} context={authState.context} />
  ) : (
    <View {...props} ownTradieId={null} context={undefined} />
  );
}

function MemberView(props: TradiePageProps & { readonly context: SessionContext }) {
  const person = usePerson();
  // A matter of milliseconds; the owner's button must not push the rest down when it comes.
  // Not for what came with the page, which is there to be read already.
  if (person.state === 'reading' && inlinedTradie(props.id) === undefined)
    return <TradieMissing why="reading" onBack={props.onBack} />;
  return <View {...props} ownTradieId={person.state === 'ready' ? (person.value?.user.tradieId ?? null) : null} />;
}

type ViewProps = TradiePageProps & {
  readonly ownTradieId: string | null;
  readonly context: SessionContext | undefined;
};

function View({ id, onBack, ownTradieId, context }: ViewProps) {
  const found = useTradie(id, ownTradieId);
  if (found.state !== 'ready') return <TradieMissing why={found.state} onBack={onBack} />;
  return <Profile key={id} found={found} onBack={onBack} isOwn={ownTradieId === id} context={context} />;
}

type ProfileProps = Pick<TradiePageProps, 'onBack'> & {
  readonly found: Extract<FoundTradie, { state: 'ready' }>;
  readonly isOwn: boolean;
  readonly context: SessionContext | undefined;
};

function Profile({ found: { facts, readAt, trouble, isAsking }, onBack, isOwn, context }: ProfileProps) {
  const { now } = useApp();
  const lists = useReference();
  // Until the lists are here, the page's own words stand, so that nothing moves under the reader.
  const written = useMemo(() => inlinedTradie(facts.id), [facts.id]);
  const isBefore = lists.isLoading && written !== undefined;
  const trades = isBefore
    ? written.trades
    : facts.categoryIds.map((id) => lists.categoryName(id)).filter((name) => name !== undefined);
  const place = lists.place(facts.locationId);
  const placeWords = isBefore ? written.place : place === undefined ? undefined : placeName(place);
  return (
    <TradieProfile
      facts={facts}
      trades={trades}
      place={placeWords}
      onBack={onBack}
      actions={
        <>
          {isOwn && (
            <LinkButton href="/edit-tradie" variant="primary" icon="edit">
              Edit Profile
            </LinkButton>
          )}
          <ShareButton title={facts.businessName} path={`/tradie/${facts.id}`} />
        </>
      }
      avatar={isOwn && context !== undefined ? <OwnAvatar context={context} facts={facts} /> : undefined}
      ownBadge={isOwn && context !== undefined && <ProfileStateBadge context={context} tradieId={facts.id} />}
      contact={<TradieContact facts={facts} isAsking={isAsking} />}
      details={<Details facts={facts} isAsking={isAsking} isOwn={isOwn} />}
      notice={
        trouble !== undefined && (
          <Banner tone="warn" title="This may not be the newest">
            {trouble}
          </Banner>
        )
      }
      // At the end, for it comes when the server has not answered: nothing moves under the reader.
      updated={
        readAt !== undefined && !isAsking && <p className={styles.updated}>Updated {formatInstant(readAt, now())}</p>
      }
    />
  );
}

/** A new logo of one's own is shown from its bytes until storage has it. */
function OwnAvatar({ context, facts }: { readonly context: SessionContext; readonly facts: TradieFacts }) {
  const way = useUnsynced(context);
  const logo = way.state === 'ready' ? way.value.logo : undefined;
  const urls = useObjectUrls(logo?.tradieId === facts.id ? [{ ...logo, id: logo.path }] : []);
  return <Avatar name={facts.businessName} src={[...urls.values()][0] ?? facts.logo} size="lg" />;
}

type DetailsProps = { readonly facts: TradieFacts; readonly isAsking: boolean; readonly isOwn: boolean };

function Details({ facts: { details }, isAsking, isOwn }: DetailsProps) {
  const reached = useReached();
  if (details === undefined) {
    return (
      <p className={styles.rest}>
        {isAsking ? 'Fetching the rest of this profile' : `The rest of this profile comes when ${reached}.`}
      </p>
    );
  }
  return <DetailsList details={details} isOwn={isOwn} />;
}
