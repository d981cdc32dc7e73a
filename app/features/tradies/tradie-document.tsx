import type { InlinedTradie } from '../../../shared/inlined.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SignInForContact } from './sign-in-for-contact.tsx';
import { factsOfInlined } from './tradie-facts.ts';
import { DetailsList, TradieProfile } from './tradie-profile.tsx';
import styles from './tradie-profile.module.css';

/** `/tradie/{id}` for a visitor, complete without any script. */
export function TradieDocument({ inlined }: { readonly inlined: InlinedTradie }) {
  const facts = factsOfInlined(inlined);
  return (
    <TradieProfile
      facts={facts}
      trades={inlined.trades}
      place={inlined.place}
      actions={<ShareLink path={`/tradie/${facts.id}`} />}
      contact={<SignInForContact isUnknown />}
      details={<DetailsList details={inlined.details} isOwn={false} />}
    />
  );
}

/** `ShareButton` before the app: `public/here.js` shares, and says what became of it in the words that stand here. */
function ShareLink({ path }: { readonly path: string }) {
  return (
    <span className={styles.share}>
      <LinkButton href={path} icon="share" data-share="">
        Share
      </LinkButton>
      <span role="status" data-shared="Link copied" />
    </span>
  );
}
