import { useSearch } from '@tanstack/react-router';
import { PostJobPage } from '../features/jobs/post-job-page.tsx';
import { useGoTo } from './use-go-to.ts';

export function PostJobRoute() {
  const { again, like } = useSearch({ from: '/gated/post-job' });
  return <PostJobPage again={again} like={like} goTo={useGoTo()} />;
}
