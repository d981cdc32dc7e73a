import { useApp } from '../../context/app-context.ts';
import { AskFirst } from './ask-first.tsx';

type DiscardButtonProps = {
  /** What is thrown away, as the question names it. */
  readonly what: string;
  readonly isDisabled?: boolean;
  /** It is being uploaded. */
  readonly mayHaveLeft?: boolean;
  /** The server keeps it, undecided: it may still be done. */
  readonly isWithDwang?: boolean;
  readonly discard: () => Promise<void>;
  readonly onDiscarded: () => void;
};

/** Discard, which asks first. */
export function DiscardButton({
  what,
  isDisabled = false,
  isWithDwang = false,
  mayHaveLeft = false,
  discard,
  onDiscarded,
}: DiscardButtonProps) {
  const { toasts } = useApp();
  const onDiscard = async () => {
    await discard();
    onDiscarded();
    toasts.show({
      title: 'Discarded',
      description: isWithDwang ? 'Dwang still looks into it.' : 'It is not on this phone any more.',
    });
  };
  return (
    <AskFirst
      label="Discard"
      icon="trash"
      isDisabled={isDisabled}
      question="Discard this?"
      yes="Discard it"
      act={onDiscard}
    >
      {isWithDwang
        ? `Dwang looks into this: “${what}” may still go through. Only its copy on this phone is discarded.`
        : mayHaveLeft
          ? `${what} may have left this phone already. It will not be added, and nothing brings it back.`
          : `${what}: this is only on this phone, and nothing brings it back.`}
    </AskFirst>
  );
}
