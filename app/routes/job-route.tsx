import { useParams } from '@tanstack/react-router';
import { JobPage } from '../features/jobs/job-page.tsx';
import { useBackTo } from './use-back-to.ts';

export function JobRoute() {
  const { id } = useParams({ from: '/gated/job/$id' });
  return <JobPage id={id} goTo={useBackTo()} />;
}
