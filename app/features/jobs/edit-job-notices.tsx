import type { RejectedEntry } from '../../db/person-db.ts';
import { Banner } from '../../ui/banner.tsx';
import { words } from '../../words/promises.ts';

type EditJobNoticesProps = {
  /** It was closed while the form was open: what was typed stays on the screen. */
  readonly isClosed: boolean;
  readonly rejected: RejectedEntry | undefined;
};

/** Why an edit cannot go, or did not. */
export function EditJobNotices({ isClosed, rejected }: EditJobNoticesProps) {
  if (isClosed) {
    return (
      <Banner tone="bad" title="Job is Closed" announce="alert">
        Closed jobs cannot be edited.
      </Banner>
    );
  }
  if (rejected === undefined) return null;
  return (
    <Banner tone="bad" title={words.notAccepted}>
      {rejected.message}
    </Banner>
  );
}
