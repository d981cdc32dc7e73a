import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';

/** Stands in place of a page that threw. The frame around it stands, and nothing on the phone is touched. */
export function BrokenPage() {
  return (
    <Page title="This page stopped working">
      <EmptyState
        picture="lost"
        title="What you saved on this phone is still here"
        action={
          <>
            <QuickButton onPress={() => location.reload()}>Try again</QuickButton>
            <LinkButton href="/dashboard">Dashboard</LinkButton>
          </>
        }
      />
    </Page>
  );
}
