import type { InlinedDirectory } from '../../../shared/inlined.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Page } from '../../ui/page.tsx';
import { count } from '../../words/common-words.ts';
import { FirstTradies } from './first-tradies.tsx';
import { filtersId, findTradiesLead, findTradiesTitle } from './find-tradies-words.ts';
import styles from './find-tradies-page.module.css';
import panel from './tradie-filter-panel.module.css';
import { TradieSkeletons } from './tradie-skeletons.tsx';

type DirectoryDocumentProps = {
  /** Undefined where the address asks for something else than all of them, which the app finds. */
  readonly inlined: InlinedDirectory | undefined;
};

/**
 * `/find-tradies` for a visitor, before any script: the beginning of the list, each card a link. Filters and the rest
 * of the list are the app's, which comes with the first tap, key or scroll (`public/here.js`).
 */
export function DirectoryDocument({ inlined }: DirectoryDocumentProps) {
  return (
    <Page title={findTradiesTitle} width="wide" lead={findTradiesLead}>
      <div className={styles.layout}>
        <div>
          <div className={panel.opener} data-scripted="">
            <LinkButton href={`#${filtersId}`} icon="filter" data-more="" isWide>
              Filters
            </LinkButton>
          </div>
          <div id={filtersId} className={styles.filtersToCome} data-scripted="" />
        </div>
        <div className={styles.results}>{inlined === undefined ? <TradiesToCome /> : <TradiesHere {...inlined} />}</div>
      </div>
    </Page>
  );
}

function TradiesHere(inlined: InlinedDirectory) {
  const all = count(inlined.total, 'tradie');
  return (
    <>
      <div className={styles.head}>
        <p>{all}</p>
      </div>
      <FirstTradies inlined={inlined} />
      {inlined.total > inlined.cards.length && (
        <LinkButton href="?sort=a-z" data-more="" data-scripted="" isWide>
          Show all {all}
        </LinkButton>
      )}
    </>
  );
}

function TradiesToCome() {
  return (
    <>
      <div className={styles.head} data-scripted="">
        <p>Fetching tradies</p>
      </div>
      <div data-scripted="">
        <TradieSkeletons />
      </div>
      <p data-unscripted="">
        <TextLink href="/find-tradies">See tradies without a filter</TextLink>
      </p>
    </>
  );
}
