import { useSearch } from '@tanstack/react-router';
import { EditJobPage } from '../features/jobs/edit-job-page.tsx';
import { useGoBack } from './use-go-back.ts';
import { useRowId } from './use-row-id.ts';

export function EditJobRoute() {
  const id = useRowId('/gated/edit-job/$id');
  const { again } = useSearch({ from: '/gated/edit-job/$id' });
  return <EditJobPage id={id} again={again} onBack={useGoBack(`/job/${id}`)} />;
}
