import { JobPage } from '../features/jobs/job-page.tsx';
import { useBackTo } from './use-back-to.ts';
import { useRowId } from './use-row-id.ts';

export function JobRoute() {
  const id = useRowId('/gated/job/$id');
  return <JobPage id={id} goTo={useBackTo()} />;
}
