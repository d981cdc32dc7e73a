import { useParams, useSearch } from '@tanstack/react-router';
import { EditJobPage } from '../features/jobs/edit-job-page.tsx';
import { useGoBack } from './use-go-back.ts';

export function EditJobRoute() {
  const { id } = useParams({ from: '/gated/edit-job/$id' });
  const { again } = useSearch({ from: '/gated/edit-job/$id' });
  return <EditJobPage id={id} again={again} onBack={useGoBack(`/job/${id}`)} />;
}
