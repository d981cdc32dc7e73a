import type { Mark } from '../../../shared/tables/index.ts';
import type { CollectionContents } from '../../collections/collection-rows.ts';
import { Button } from '../../ui/button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { count } from '../../words/common-words.ts';
import type { JobFilters } from './job-filters.ts';
import styles from './marked-away.module.css';
import type { OwnNotes } from './use-own-notes.ts';
import { useShortlist } from './use-shortlist.ts';

type Feed = { readonly feed: CollectionContents<'feed'> };
type MarkedAwayProps = Feed & Pick<OwnNotes, 'shortlisted' | 'hidden'> & { readonly filters: JobFilters };

const isAway = ({ rows }: CollectionContents<'feed'>) => {
  const here = new Set(rows.map(({ id }) => id));
  return (id: string) => !here.has(id);
};

const awayWords = (number: number) =>
  number === 1
    ? '1 job is closed, or in a region whose jobs are not on this phone.'
    : `${count(number, 'job')} are closed, or in regions whose jobs are not on this phone.`;

/** Jobs that were saved for later or hidden, and are not among those on this phone. */
export function MarkedAway({ filters, shortlisted, hidden, feed }: MarkedAwayProps) {
  if (feed.status !== 'ready' && feed.status !== 'part') return null;
  if (filters.onlyShortlisted) return shortlisted && <AwayShortlist marks={shortlisted} feed={feed} />;
  return filters.onlyHidden && feed.status === 'part' && hidden !== undefined ? (
    <AwayHidden hidden={hidden} feed={feed} />
  ) : null;
}

/**
 * Jobs by the title that was saved. Where the feed is here whole, a job that is not in it has closed; of a part only
 * the job's own page can say whether it has.
 */
function AwayShortlist({ marks, feed }: Feed & { readonly marks: ReadonlyMap<string, Mark> }) {
  const { set } = useShortlist();
  const away = isAway(feed);
  const gone = [...marks.values()].filter(({ jobId }) => away(jobId));
  if (gone.length === 0) return null;
  const isPart = feed.status === 'part';
  return (
    <section aria-labelledby="gone-later" className={styles.gone}>
      <h2 id="gone-later">{isPart ? 'Saved for later, not on this phone' : 'No longer open'}</h2>
      {isPart && <p>{awayWords(gone.length)}</p>}
      <ul role="list">
        {gone.map((mark) => {
          const title = mark.title === '' ? 'A job you saved for later' : mark.title;
          return (
            <li key={mark.id}>
              <p>
                {isPart ? (
                  <TextLink href={`/job/${mark.jobId}`}>{title}</TextLink>
                ) : (
                  <>
                    {title} <span>Closed</span>
                  </>
                )}
              </p>
              <Button aria-label={`Take off my list: ${mark.title}`} onPress={() => void set(mark, false, mark)}>
                Take off my list
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function AwayHidden({ hidden, feed }: Feed & { readonly hidden: ReadonlySet<string> }) {
  const number = [...hidden].filter(isAway(feed)).length;
  return number === 0 ? null : (
    <div className={styles.gone}>
      <p>{awayWords(number)}</p>
    </div>
  );
}
