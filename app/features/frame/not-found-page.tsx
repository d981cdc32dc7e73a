import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { supportEmail } from '../../words/common-words.ts';

export function NotFoundPage() {
  return (
    <Page title="404 Page Not Found">
      <EmptyState
        picture="lost"
        title="There's no page at this address"
        action={
          <LinkButton href="/" variant="primary">
            Go to dwang.nz
          </LinkButton>
        }
      >
        <p>
          If a link brought you here, tell us at <a href={`mailto:${supportEmail}`}>{supportEmail}</a> and we'll mend
          it.
        </p>
      </EmptyState>
    </Page>
  );
}
