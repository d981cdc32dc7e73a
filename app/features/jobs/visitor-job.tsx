import { useReference } from '../../hooks/use-reference.ts';
import { JobMissing } from './job-missing.tsx';
import { JobView } from './job-view.tsx';
import { placeOfJob } from './job-facts.ts';
import { SignInPrompt } from './sign-in-prompt.tsx';
import { useJobByLink } from './use-job-by-link.ts';

/** Signed out, by link: the job, and the Sign In prompt where the action would be. */
export function VisitorJob({ id }: { readonly id: string }) {
  const lists = useReference();
  const found = useJobByLink(id, true);
  if (found.state !== 'ready') return <JobMissing why={found.state} />;
  return (
    <JobView
      job={found.job}
      place={placeOfJob(found.job, lists)}
      category={lists.categoryName(found.job.categoryId)}
      answer={
        <SignInPrompt title="Sign in to express interest">
          <p>Tradies with a subscription can send their details to the homeowner.</p>
        </SignInPrompt>
      }
    />
  );
}
