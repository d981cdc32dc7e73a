import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { mapShape } from '../../../shared/lib/nz-map.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { QuickButton } from '../../ui/quick-button.tsx';
import { count } from '../../words/common-words.ts';
import type { FeedJob } from './filter-jobs.ts';
import styles from './job-map.module.css';
import { clustersOf, clusterTowns, minTargetSize, type Cluster } from './map-clusters.ts';
import { useOutline } from './use-outline.ts';

type JobMapProps = {
  /** Those that the filters leave. */
  readonly jobs: readonly FeedJob[];
  /** They are all that are meant; others may not be on this device. */
  readonly isWhole: boolean;
  readonly lists: ReferenceLists;
  /** Ids of the towns of which the list shows the jobs; empty for all. */
  readonly towns: readonly string[];
  readonly onTowns: (towns: readonly string[]) => void;
};

/**
 * The country with the jobs of each town, drawn on this device. Circles are buttons, north to south; whatever one does
 * here the list does too, so that the map is not needed.
 */
export function JobMap({ jobs, isWhole, lists, towns, onTowns }: JobMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidthInRem(frame);
  const { outline, retry } = useOutline();
  const counts = useMemo(() => {
    const sums = new Map<string, number>();
    for (const { locationId } of jobs) sums.set(locationId ?? '', (sums.get(locationId ?? '') ?? 0) + 1);
    return sums;
  }, [jobs]);
  const { clusters, unplaced } = useMemo(
    () => (width === 0 ? { clusters: [], unplaced: 0 } : clustersOf(counts, lists.place, { width })),
    [counts, lists, width],
  );
  return (
    <section className={styles.map} aria-label="Map of jobs">
      <div ref={frame} className={styles.frame} style={{ aspectRatio: mapShape }}>
        {typeof outline === 'object' && (
          <svg className={styles.outline} viewBox={outline.viewBox} aria-hidden="true">
            <path d={outline.path} />
          </svg>
        )}
        <ul role="list" className={styles.clusters}>
          {clusters.map((cluster) => (
            <Circle
              key={cluster.towns[0]?.id}
              cluster={cluster}
              isChosen={cluster.towns.some(({ id }) => towns.includes(id))}
              onTowns={onTowns}
            />
          ))}
        </ul>
      </div>
      <div className={styles.words}>
        {outline === 'missing' && (
          <div className={styles.missing} role="status">
            <p>
              The outline isn&apos;t on this phone yet. It comes the first time you open the map with signal, and then
              stays. The circles and the list work without it.
            </p>
            <QuickButton icon="refresh" onPress={retry}>
              Try again
            </QuickButton>
          </div>
        )}
        <p>
          {jobs.length > 0 ? 'Choose a circle to list its jobs.' : `No jobs ${isWhole ? '' : 'on this phone '}to show.`}
          {unplaced > 0 &&
            ` ${count(unplaced, 'job')} without a known town ${unplaced === 1 ? 'is' : 'are'} in the list alone.`}
        </p>
        <p className={styles.sources}>
          Towns:{' '}
          <a href="https://www.geonames.org" target="_blank" rel="noreferrer">
            GeoNames
          </a>
          ,{' '}
          <a href="https://creativecommons.org/licenses/by/4.0/" target="_blank" rel="noreferrer">
            CC BY 4.0
          </a>
          ; some placed by hand, to about 2 km. Outline: Natural Earth.
        </p>
      </div>
    </section>
  );
}

type CircleProps = {
  readonly cluster: Cluster;
  readonly isChosen: boolean;
  readonly onTowns: JobMapProps['onTowns'];
};

function Circle({ cluster, isChosen, onTowns }: CircleProps) {
  const { x, y, diameter, jobs, towns } = cluster;
  return (
    <li
      className={styles.place}
      style={{
        insetInlineStart: `${x * 100}%`,
        insetBlockStart: `${y * 100}%`,
        inlineSize: `${Math.max(minTargetSize, diameter)}rem`,
      }}
    >
      <button
        type="button"
        className={styles.target}
        aria-pressed={isChosen}
        aria-label={`${clusterTowns(cluster)}, ${count(jobs, 'job')}`}
        onClick={() => onTowns(isChosen ? [] : towns.map(({ id }) => id))}
      >
        <span className={styles.circle} style={{ inlineSize: `${diameter}rem` }}>
          {formatNumber(jobs)}
        </span>
      </button>
    </li>
  );
}

/** How wide an element is, in the size of the text; 0 until it is known. Follows both. */
function useWidthInRem(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      setWidth(current.clientWidth / rem);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    // A box is as large as the text, and nothing else: a person who enlarges that changes no width.
    const probe = document.createElement('i');
    probe.className = styles.probe ?? '';
    current.append(probe);
    observer.observe(probe);
    return () => {
      observer.disconnect();
      probe.remove();
    };
  }, [element]);
  return width;
}
