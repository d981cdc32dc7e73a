import { useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { faultWords } from '../../words/fault-words.ts';

type DiscardButtonProps = {
  /** What is thrown away, as the question names it. */
  readonly what: string;
  readonly isDisabled?: boolean;
  readonly discard: () => Promise<void>;
  readonly onDiscarded: () => void;
};

/** Discard, which asks first: what is thrown away is on no other device. */
export function DiscardButton({ what, isDisabled = false, discard, onDiscarded }: DiscardButtonProps) {
  const { toasts } = useApp();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const onDiscard = async () => {
    setBusy(true);
    try {
      await discard();
      setAsking(false);
      onDiscarded();
      toasts.show({ title: 'Discarded', description: 'It is not on this phone any more.' });
    } catch (fault) {
      toasts.show({ title: 'Error', description: faultWords(fault, 'That did not work'), variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon="trash" isDisabled={isDisabled} onPress={() => setAsking(true)}>
        Discard
      </Button>
      <Dialog
        title="Discard this?"
        isAlert
        isOpen={isAsking}
        onOpenChange={setAsking}
        actions={
          <>
            <Button onPress={() => setAsking(false)}>Keep it</Button>
            <Button variant="danger" isBusy={isBusy} onPress={onDiscard}>
              Discard it
            </Button>
          </>
        }
      >
        <p>{what} is only on this phone, and nothing brings it back.</p>
      </Dialog>
    </>
  );
}
