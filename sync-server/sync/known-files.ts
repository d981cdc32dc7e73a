import type { KnownFiles } from '../../shared/mutations/own-file.ts';
import { filesOf } from '../../shared/mutations/run-mutation.ts';
import type { SyncTx } from '../store/sync-store.ts';

/** What storage says of the files that these mutations name; undefined where it cannot be asked, or need not be. */
export async function knownFiles(
  tx: SyncTx,
  mutations: readonly { name: string; args: unknown }[],
): Promise<KnownFiles | undefined> {
  const refs = [...new Set(mutations.flatMap(({ name, args }) => filesOf(name, args)))];
  return refs.length === 0 ? undefined : tx.findFiles(refs);
}
