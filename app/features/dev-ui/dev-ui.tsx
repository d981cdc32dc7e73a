import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { StateBar, type StateBarKind } from '../../ui/state-bar.tsx';
import { FormParts } from './form-parts.tsx';
import { MessageParts } from './message-parts.tsx';
import { PhotoParts } from './photo-parts.tsx';
import { ListParts } from './list-parts.tsx';
import styles from './dev-ui.module.css';

const barWords: Record<StateBarKind, string> = {
  online: '',
  slow: 'Slow signal. Still sending 1 change.',
  offline: 'Offline. Showing jobs from 10:42 am. 2 changes waiting.',
  unreachable: 'Can’t reach Dwang. 2 changes waiting.',
};

/** Every part in every state, for those who build screens. Embedded mode only; the route sees to that. */
export function DevUi() {
  const [bar, setBar] = useState<StateBarKind>('offline');
  return (
    <>
      <StateBar
        kind={bar}
        action={
          <LinkButton href="/waiting" variant="plain" aria-label="See what is waiting">
            See
          </LinkButton>
        }
      >
        {barWords[bar]}
      </StateBar>
      <Page
        title="Parts"
        width="wide"
        onBack={() => window.history.back()}
        lead="Every part in every state. Whangārei, Ōpōtiki, Taupō, Kaikōura."
      >
        <div className={styles.row}>
          {(['light', 'dark', ''] as const).map((theme) => (
            <Button key={theme} onPress={() => document.documentElement.setAttribute('data-theme', theme)}>
              {theme === '' ? 'As the device' : theme}
            </Button>
          ))}
          {(['online', 'slow', 'offline', 'unreachable'] as const).map((kind) => (
            <Button key={kind} variant="plain" onPress={() => setBar(kind)}>
              {kind}
            </Button>
          ))}
        </div>
        <MessageParts />
        <FormParts />
        <PhotoParts />
        <ListParts />
      </Page>
    </>
  );
}
