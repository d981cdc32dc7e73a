import { useApp, useSessionContext } from '../../context/app-context.ts';
import { dropLogo, retryLogo, type WaitingLogo } from '../../photos/keep-logo.ts';
import { Button } from '../../ui/button.tsx';
import { faultWords } from '../../words/fault-words.ts';
import { pictureState } from '../../words/item-state.ts';
import { PictureItem } from './picture-item.tsx';

/** A business's new logo that waits for its upload. */
export function LogoItem({ logo }: { readonly logo: WaitingLogo }) {
  const { toasts } = useApp();
  const { db, logoUploads } = useSessionContext();
  const act = (work: Promise<void>) => {
    work.catch((fault: unknown) =>
      toasts.show({ title: 'Error', description: faultWords(fault, 'That did not work'), variant: 'destructive' }),
    );
  };
  const retry = async () => {
    await retryLogo(db);
    logoUploads.wake();
  };
  return (
    <PictureItem title="Your new logo" picture={logo} state={pictureState(logo.state)} reason={logo.error}>
      {logo.state === 'failed' && (
        <Button icon="refresh" onPress={() => act(retry())}>
          Retry
        </Button>
      )}
      <Button icon="trash" onPress={() => act(dropLogo(db))}>
        Discard
      </Button>
    </PictureItem>
  );
}
