import type { ReactNode } from 'react';
import type { PhotoEntry } from '../../db/person-db.ts';
import { usePhotoSrc } from '../../photos/use-photo-src.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import type { ItemState } from '../../words/item-state.ts';
import styles from './item.module.css';

type PictureItemProps = {
  readonly title: string;
  /** Undefined where its bytes are not here any more. */
  readonly picture: Pick<PhotoEntry, 'bytes' | 'type'> | undefined;
  readonly state: ItemState;
  readonly reason: string | null;
  /** What can be done with it: buttons. */
  readonly children?: ReactNode;
};

const nothing = new ArrayBuffer(0);

/** An unsynced picture. */
export function PictureItem({ title, picture, state, reason, children }: PictureItemProps) {
  const src = usePhotoSrc(picture?.bytes ?? nothing, picture?.type ?? '');
  const hasFailed = state.kind === 'failed';
  return (
    <Card as="article">
      <div className={styles.photo}>
        {src === null || picture === undefined ? <span /> : <img src={src} alt="" />}
        <div>
          <h3 className={styles.title}>{title}</h3>
          <Badge tone={hasFailed ? 'bad' : 'warn'} icon={hasFailed ? 'alert' : 'image'}>
            {state.words}
          </Badge>
          {reason !== null && <p className={styles.reason}>{reason}</p>}
          <div className={styles.buttons}>{children}</div>
        </div>
      </div>
    </Card>
  );
}
