import { useApp, useHouse } from '../../app-context.ts';
import { dropLogo, retryLogo, type WaitingLogo } from '../../photos/keep-logo.ts';
import { usePhotoSrc } from '../../photos/use-photo-src.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { faultWords } from '../../words/fault-words.ts';
import { words } from '../../words/promises.ts';
import styles from './item.module.css';

/** A business's new logo on its way to storage. */
export function LogoItem({ logo }: { readonly logo: WaitingLogo }) {
  const { toasts } = useApp();
  const { db, logoLane } = useHouse();
  const src = usePhotoSrc(logo.bytes, logo.type);
  const hasFailed = logo.state === 'failed';
  const act = (work: Promise<void>) => {
    work.catch((fault: unknown) => toasts.show({ title: 'Error', description: faultWords(fault, 'That did not work'), variant: 'destructive' }));
  };
  const retry = async () => {
    await retryLogo(db);
    logoLane.wake();
  };
  return (
    <Card as="article">
      <div className={styles.photo}>
        {src === null ? <span /> : <img src={src} alt="" />}
        <div>
          <h3 className={styles.title}>Your new logo</h3>
          <Badge tone={hasFailed ? 'bad' : 'warn'} icon={hasFailed ? 'alert' : 'image'}>
            {hasFailed ? words.couldntSend : words.saved}
          </Badge>
          {logo.error !== null && <p className={styles.reason}>{logo.error}</p>}
          <div className={styles.buttons}>
            {hasFailed && (
              <Button icon="refresh" onPress={() => act(retry())}>
                Retry
              </Button>
            )}
            <Button icon="trash" onPress={() => act(dropLogo(db))}>
              Discard
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}
