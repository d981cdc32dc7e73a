import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { LogoField } from '../../ui/logo-field.tsx';
import { PhotoLightbox } from '../../ui/photo-lightbox.tsx';
import { PhotoPicker, type PickedPhoto } from '../../ui/photo-picker.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { samplePhotos } from './samples.ts';

/** Picking photos, a row of them, and one enlarged. */
export function PhotoParts() {
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
