import { nextNzHour } from '../../shared/lib/nz-time.ts';
import type { Mark } from '../../shared/tables/index.ts';
import { useApp, type SessionContext } from '../context/app-context.ts';
import { useWatched } from '../context/use-watched.ts';
import { useRows } from '../db/use-rows.ts';
import { useLocalWrite } from '../hooks/use-local-write.ts';
import { useMutation } from '../hooks/use-mutation.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';

/**
 * The job that one asked to be reminded of, and what can be done about it. A job that has closed says so, by the title
 * it had.
 */
export function DueReminder({ mark, context }: { readonly mark: Mark; readonly context: SessionContext }) {
  const { now, newId } = useApp();
  const law = useMutation('job.mark');
  const keep = useLocalWrite();
  const state = useJobState(mark.jobId, context);
  const change = (changes: { remindAt: string | null } | { shortlisted: false }) =>
    void keep(() => law.enqueue({ id: newId(), jobId: mark.jobId, ...changes }));
  const remind = (remindAt: string | null) => change({ remindAt });
  // Its words and buttons do not change under the finger.
  if (state === 'reading' || !law.may) return null;
  return (
    <Banner
      tone="info"
      title={`Reminder: ${mark.title === '' ? 'a job you saved for later' : mark.title}`}
      onDismiss={() => remind(null)}
      actions={
        state === 'closed' ? (
          <Button onPress={() => change({ shortlisted: false })}>Take off my list</Button>
        ) : (
          <>
            <LinkButton href={`/job/${mark.jobId}`} onClick={() => remind(null)}>
              Open job
            </LinkButton>
            <Button variant="plain" onPress={() => remind(nextNzHour(nextNzHour(new Date(now()), 0), 7).toISOString())}>
              Tomorrow, 7 am
            </Button>
          </>
        )
      }
    >
      {state === 'closed' ? 'This job has closed since you saved it.' : 'You saved it for later.'}
    </Banner>
  );
}

/** `unknown`: this device cannot tell, as where the list of jobs is not this person's to read now. */
function useJobState(jobId: string, { db, feed }: SessionContext): 'reading' | 'open' | 'closed' | 'unknown' {
  const { status } = useWatched(feed);
  const own = useRows(db, ['jobs'], ({ jobs }) => jobs.get(jobId) ?? null, [jobId]);
  if (own.state === 'reading') return 'reading';
  if (own.state === 'ready' && own.value !== null) return own.value.status === 'closed' ? 'closed' : 'open';
  if (feed.find(jobId) !== undefined) return 'open';
  if (status === 'ready') return 'closed';
  return status === 'starting' || status === 'filling' ? 'reading' : 'unknown';
}
