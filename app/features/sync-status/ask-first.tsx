import { useState, type ReactNode } from 'react';
import { useApp } from '../../context/app-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { errorWords } from '../../words/error-words.ts';

type QuestionProps = {
  readonly question: string;
  /** On the button that does it; undefined once it is too late for that. */
  readonly yes: string | undefined;
  /** What is lost, and whether anything brings it back. */
  readonly children: ReactNode;
  /** What it throws is shown, and the question stays. */
  readonly act: () => Promise<void>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Asks before something is thrown away that is as a rule on no other device. */
export function Question({ question, yes, children, act, isOpen, onClose }: QuestionProps) {
  const { toasts } = useApp();
  const [isBusy, setBusy] = useState(false);
  const onYes = async () => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (error) {
      toasts.show({ title: 'Error', description: errorWords(error, 'That did not work'), variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={question}
      isAlert
      isOpen={isOpen}
      onOpenChange={onClose}
      actions={
        yes === undefined ? (
          <Button autoFocus onPress={onClose}>
            Close
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Keep it</Button>
            <Button variant="danger" isBusy={isBusy} onPress={onYes}>
              {yes}
            </Button>
          </>
        )
      }
    >
      <p aria-live="polite">{children}</p>
    </Dialog>
  );
}

type AskFirstProps = Omit<QuestionProps, 'isOpen' | 'onClose'> & {
  readonly label: string;
  readonly icon: IconName;
  readonly isDisabled?: boolean;
};

/** A button that asks before it does what it says. */
export function AskFirst({ label, icon, isDisabled = false, ...question }: AskFirstProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button icon={icon} isDisabled={isDisabled} onPress={() => setAsking(true)}>
        {label}
      </Button>
      <Question {...question} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
