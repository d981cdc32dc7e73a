import { must } from '../../shared/lib/must.ts';
import type { Screen } from './open-screens.tsx';

export const elsewhereSegment = { hash: 'f'.repeat(64), rows: 1, bytes: 1, from: '', to: '', region: 'Northland' };

/** The feed of this phone is of these regions alone. */
export async function holdOnly({ phone }: Screen, regions: string[], coming: string[] = []): Promise<void> {
  const { db } = must(phone, 'a phone');
  await db.transaction('rw', db.shelfStates, async () => {
    const state = must(await db.shelfStates.get('feed'), 'the feed');
    const manifest = { ...must(state.manifest, 'a manifest'), regions, elsewhere: 940 };
    const segments = coming.map((region, at) => ({ ...elsewhereSegment, hash: String(at).repeat(64), region }));
    const next = { ...manifest, regions: [...regions, ...coming], segments: [...manifest.segments, ...segments] };
    await db.shelfStates.put({ ...state, manifest, coming: coming.length === 0 ? null : next });
  });
}
