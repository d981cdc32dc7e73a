import type { InlinedDirectory } from '../../../shared/inlined.ts';
import { LinkButton } from '../../ui/link-button.tsx';
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
          <div className={panel.opener}>
            <LinkButton href={`#${filtersId}`} icon="filter" data-more="" isWide>
              Filters
            </LinkButton>
          </div>
          <div id={filtersId} className={styles.filtersToCome} />
        </div>
        <div className={styles.results}>
          <div className={styles.head}>
            <p>{inlined === undefined ? 'Fetching tradies' : count(inlined.total, 'tradie')}</p>
          </div>
          {inlined === undefined ? <TradieSkeletons /> : <FirstTradies inlined={inlined} />}
          {inlined !== undefined && inlined.total > inlined.cards.length && (
            <LinkButton href="?sort=a-z" data-more="" isWide>
              Show all {count(inlined.total, 'tradie')}
            </LinkButton>
          )}
        </div>
      </div>
    </Page>
  );
}
