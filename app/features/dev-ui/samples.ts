import type { Town } from '../../ui/town-picker.tsx';

/** A handful of real towns, one name twice, enough to try the picker. */
export const sampleTowns: readonly Town[] = [
  { id: '1', region: 'Northland', town: 'Whangārei' },
  { id: '2', region: 'Northland', town: 'Kerikeri' },
  { id: '3', region: 'Northland', town: 'Waitangi' },
  { id: '4', region: 'Auckland', town: 'Auckland' },
  { id: '5', region: 'Waikato', town: 'Hamilton' },
  { id: '6', region: 'Waikato', town: 'Taupō' },
  { id: '7', region: 'Bay of Plenty', town: 'Ōpōtiki' },
  { id: '8', region: 'Manawatū-Whanganui', town: 'Palmerston North' },
  { id: '9', region: 'Otago', town: 'Palmerston' },
  { id: '10', region: 'Otago', town: 'Dunedin' },
  { id: '11', region: 'Canterbury', town: 'Kaikōura' },
  { id: '12', region: 'Chatham Islands', town: 'Waitangi' },
];

/** The app's own icons in place of photos: no sample needs another file. */
export const samplePhotos = [
  { url: '/icon-512.png', alt: 'The deck from the drive' },
  { url: '/maskable-512.png', alt: 'A joist that has gone soft' },
  { url: '/icon-192.png', alt: 'The house end' },
  { url: '/apple-touch-icon.png', alt: 'The steps' },
];
