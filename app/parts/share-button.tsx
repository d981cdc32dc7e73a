import { useApp } from '../context/app-context.ts';
import { Button } from '../ui/button.tsx';

type ShareButtonProps = {
  /** What is shared, as the other person will read it above the link. */
  readonly title: string;
  /** Path of a public page. */
  readonly path: string;
};

/** Shares a link with the device's own share sheet; where there is none, the link is copied. */
export function ShareButton({ title, path }: ShareButtonProps) {
  const { toasts } = useApp();
  const share = async () => {
    const url = new URL(path, window.location.origin).href;
    // Absent where the page is not served securely, and in most desktop browsers.
    if ('share' in navigator) {
      try {
        return await navigator.share({ title, url });
      } catch (error) {
        // Dismissed by the person: that is an answer. Anything else is a device that cannot share.
        if (error instanceof Error && error.name === 'AbortError') return;
      }
    }
    try {
      await navigator.clipboard.writeText(url);
      toasts.show({ title: 'Link copied' });
    } catch {
      toasts.show({ title: 'Could not copy the link', description: url, variant: 'destructive' });
    }
  };
  return (
    <Button icon="share" onPress={share}>
      Share
    </Button>
  );
}
