import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { FeedJob } from './filter-jobs.ts';
import { JobCard } from './job-card.tsx';
import styles from './job-list.module.css';

type JobListProps = {
  readonly jobs: readonly FeedJob[];
  readonly lists: ReferenceLists;
  readonly interestedIn: ReadonlySet<string>;
  /** ISO instant ages are counted from. */
  readonly now: string;
};

const likelyHeight = 230;

/** Only the cards near the screen are in the page; each says which of how many it is. */
export function JobList({ jobs, lists, interestedIn, now }: JobListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = list.current?.getBoundingClientRect();
    if (box !== undefined) setTop(box.top + window.scrollY);
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs over this code, and nothing of it goes into a memo
  const virtual = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: () => likelyHeight,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (at) => jobs[at]?.id ?? at,
  });
  return (
    <ul role="list" ref={list} className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => {
        const job = jobs[item.index];
        if (job === undefined) return null;
        return (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={jobs.length}
            aria-posinset={item.index + 1}
            className={styles.item}
            style={{ transform: `translateY(${item.start - top}px)` }}
          >
            <JobCard job={job} lists={lists} isInterested={interestedIn.has(job.id)} now={now} />
          </li>
        );
      })}
    </ul>
  );
}
