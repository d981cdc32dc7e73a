import { Card } from '../../ui/card.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import layout from './find-tradies-page.module.css';
import missing from './tradie-missing.module.css';
import { TradieSkeletons } from './tradie-skeletons.tsx';
import profile from './tradie-page.module.css';

export const findTradiesTitle = 'Find Tradies';
export const findTradiesLead = 'Businesses across New Zealand, each signed up with its NZBN.';

/** What `/find-tradies` shows before any script runs: all that is the same for every visitor. */
export function PrerenderedDirectory() {
  return (
    <Page title={findTradiesTitle} width="wide" lead={findTradiesLead}>
      <div className={layout.layout}>
        <div className={layout.filtersToCome} />
        <div className={layout.results}>
          <div className={layout.head}>
            <p>Fetching tradies</p>
          </div>
          <TradieSkeletons />
        </div>
      </div>
    </Page>
  );
}

/**
 * The same for `/tradie/{id}`. The server puts the business in place of the names in percent signs
 * (`sync-server/pages/static-files.ts`).
 */
export function PrerenderedTradie() {
  return (
    <Page
      title="%name%"
      width="wide"
      onBack={() => undefined}
      lead="%place%"
      actions={<span className={missing.action} />}
    >
      <div className={profile.columns}>
        <Card as="section" labelledBy="about">
          <div className={profile.head}>
            <span className={missing.logo} />
            <div className={profile.badges}>
              <Skeleton width="half" />
            </div>
          </div>
          <h2 id="about" className={profile.aboutTitle}>
            About
          </h2>
          <p className={profile.about}>%about%</p>
        </Card>
      </div>
    </Page>
  );
}
