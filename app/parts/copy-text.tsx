import { useApp } from '../context/app-context.ts';
import { Button } from '../ui/button.tsx';

/** Puts what was typed onto the clipboard. */
export function CopyText({ text }: { readonly text: string }) {
  const { toasts } = useApp();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show({ title: 'Copied' });
    } catch {
      toasts.show({
        title: 'Could not copy',
        description: 'Select the text and copy it by hand.',
        variant: 'destructive',
      });
    }
  };
  return (
    <Button icon="copy" onPress={copy}>
      Copy text
    </Button>
  );
}
