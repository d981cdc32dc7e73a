import type { ReactNode } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { count } from '../../words/common-words.ts';
import { listed } from '../../words/listed.ts';
import { onceReached } from '../../words/reach-words.ts';
import { QuickButton } from '../../ui/quick-button.tsx';
import type { AskedRegions } from './asked-regions.ts';
import styles from './browse-jobs.module.css';

/**
 * How much of the feed is on this device: all of it; a part, and more is coming; the person's own regions, and the
 * rest is held back to save data; or some regions, because all would be too much.
 */
export type FeedPart = 'whole' | 'coming' | 'held-back' | 'regions';

export function useFeedPart(): FeedPart {
  const { status, held } = useWatched(useSessionContext().feed);
  if (status === 'part' && held !== undefined) return 'regions';
  return status === 'part' ? 'held-back' : status === 'filling' ? 'coming' : 'whole';
}

/** Says that jobs elsewhere are not on this device, and gets them. */
export function HeldBack() {
  const { feedRest } = useSessionContext();
  return (
    <div className={styles.above}>
      <p>Jobs in your own regions only, because this browser saves data.</p>
      <QuickButton variant="plain" onPress={feedRest.fetch}>
        Get all jobs
      </QuickButton>
    </div>
  );
}

/** Says which jobs are on this phone where all would be too many, and how the others come. */
export function SomeRegions({ asked }: { readonly asked: AskedRegions | undefined }) {
  const { held } = useWatched(useSessionContext().feed);
  const { connection } = useApp();
  const { kind } = useWatched(connection);
  if (held === undefined || asked?.isHere === true) return null;
  const isReached = kind === 'online' || kind === 'slow';
  const others =
    held.elsewhere === 0 ? '' : ` ${count(held.elsewhere, 'job')} in others: choose a region to get its jobs.`;
  const said =
    asked === undefined
      ? `Jobs in the regions you work in, and in those you have chosen last.${others}`
      : asked.coming.length === 0
        ? undefined
        : isReached
          ? `Fetching jobs in ${listed(asked.coming)}`
          : `Jobs in ${listed(asked.coming)} are not on this phone. They come ${onceReached(kind)}.`;
  const { coming } = held;
  const isOnItsWay = isReached && asked?.coming.some((name) => coming?.regions.includes(name)) === true;
  return (
    <>
      {said !== undefined && (
        <div className={styles.above}>
          <p role="status">{said}</p>
          {isOnItsWay && coming !== undefined && coming.of > 0 && (
            <p>{Math.round((100 * coming.here) / coming.of)} %</p>
          )}
        </div>
      )}
      {asked !== undefined && asked.left.length > 0 && (
        <Fetchable asked={asked} button="Get them again">
          Jobs in {listed(asked.left)} have left this phone, because other regions were chosen since.
        </Fetchable>
      )}
      {asked !== undefined && asked.beyond.length > 0 && (
        <Fetchable asked={asked} button="Get them">
          Jobs in {listed(asked.beyond)} are not on this phone.
        </Fetchable>
      )}
    </>
  );
}

type FetchableProps = { readonly asked: AskedRegions; readonly button: string; readonly children: ReactNode };

function Fetchable({ asked, button, children }: FetchableProps) {
  return (
    <div className={styles.above}>
      <p role="status">{children}</p>
      <QuickButton variant="plain" onPress={asked.fetch}>
        {button}
      </QuickButton>
    </div>
  );
}
