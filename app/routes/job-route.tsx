import { useParams } from '@tanstack/react-router';
import { JobPage } from '../features/jobs/job-page.tsx';
import { useGoTo } from './use-go-to.ts';

export function JobRoute() {
  const { id } = useParams({ from: '/gated/job/$id' });
  return <JobPage id={id} goTo={useGoTo()} />;
}
