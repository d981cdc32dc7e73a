import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LogoField } from '../../ui/logo-field.tsx';
import { Page } from '../../ui/page.tsx';
import { PhotoLightbox } from '../../ui/photo-lightbox.tsx';
import { PhotoPicker, type PickedPhoto } from '../../ui/photo-picker.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { StateBar, type StateBarKind } from '../../ui/state-bar.tsx';
import styles from './dev-ui.module.css';
import { FormParts } from './form-parts.tsx';
import { ListParts } from './list-parts.tsx';
import { MessageParts } from './message-parts.tsx';
import { samplePhotos } from './samples.ts';

const barWords: Record<StateBarKind, string> = {
  online: '',
  slow: 'Slow signal. Still sending 1 change.',
  offline: 'Offline. Showing jobs from 10:42 am. 2 changes waiting.',
  unanswered: 'Can’t reach Dwang, trying again. 2 changes waiting.',
  unreachable: 'Can’t reach Dwang, trying again. 2 changes waiting.',
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
          {(['light', 'dark', 'sun', ''] as const).map((theme) => (
            <Button key={theme} onPress={() => document.documentElement.setAttribute('data-theme', theme)}>
              {theme === '' ? 'As the device' : theme}
            </Button>
          ))}
          {(['online', 'slow', 'offline', 'unanswered', 'unreachable'] as const).map((kind) => (
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

/** Picking photos, a row of them, and one enlarged. */
function PhotoParts() {
  const [picked, setPicked] = useState<PickedPhoto[]>([
    { id: 'a', name: 'deck.jpg', url: samplePhotos[0]?.url, state: 'ready' },
    { id: 'b', name: 'joist.jpg', url: samplePhotos[1]?.url, state: 'ready' },
    { id: 'c', name: 'rail.jpg', state: 'preparing' },
    { id: 'd', name: 'steps.heic', state: 'failed', problem: 'This photo could not be read' },
  ]);
  const [index, setIndex] = useState<number>();
  const add = (files: File[]) =>
    setPicked([
      ...picked,
      ...files.map((file): PickedPhoto => ({
        id: crypto.randomUUID(),
        name: file.name,
        url: URL.createObjectURL(file),
        state: 'ready',
      })),
    ]);
  return (
    <Card as="section">
      <h2>Photos</h2>
      <PhotoPicker
        photos={picked}
        onAdd={add}
        onRemove={(id) => setPicked(picked.filter((photo) => photo.id !== id))}
        hint="They help tradies see the work before they call. Where they were taken is not sent."
      />
      <LogoField
        label="Logo"
        name="Kererū Building"
        src=""
        isNew={false}
        onPick={() => undefined}
        onRemove={() => undefined}
        hint="Nothing chosen yet: the initials."
      />
      <LogoField
        label="Logo, on its way"
        name="Kererū Building"
        src={samplePhotos[0]?.url ?? ''}
        isNew
        onPick={() => undefined}
        onRemove={() => undefined}
        note="Saved on this phone"
        error="Couldn't send: the object exceeded the maximum allowed size"
      />
      <LogoField
        label="Logo, being made smaller"
        name=""
        src=""
        isNew={false}
        isBusy
        onPick={() => undefined}
        onRemove={() => undefined}
      />
      <PhotoStrip photos={samplePhotos} onEnlarge={setIndex} />
      <PhotoLightbox photos={samplePhotos} index={index} onIndexChange={setIndex} />
    </Card>
  );
}
