import { useAuthState } from '../../context/app-context.ts';
import { MemberJob } from './member-job.tsx';
import { VisitorJob } from './visitor-job.tsx';

type JobPageProps = { readonly id: string; readonly goTo: (path: string) => void };

/** `/job/{id}` for every viewer: owner, interested tradie, tradie with the feed, and a visitor who has the link. */
export function JobPage({ id, goTo }: JobPageProps) {
  const authState = useAuthState();
  return authState.kind === 'signed-in' ? <MemberJob key={id} id={id} goTo={goTo} /> : <VisitorJob key={id} id={id} />;
}
