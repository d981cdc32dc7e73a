import { privateTableNames } from '../../shared/tables/index.ts';
import type { Row } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { World } from '../world/world.ts';
import { asText } from './disk-snapshot.ts';
import { must } from './violation.ts';

/** I4, for what is shown: in the end each open tab shows what its disk holds. */
export function i4Screens({ devices, checker }: World): void {
  for (const { disk, tabs } of devices)
    for (const tab of tabs) {
      const { rows } = tab.db;
      if (tab.proc.state !== 'running' || rows.state().kind !== 'ready' || rows.at() === undefined) continue;
      const { key } = checker.groupOf(tab.device, tab.userId);
      for (const store of [...privateTableNames, 'outbox'] as const) {
        const written = disk.read(tab.database, store).map((row) => asText(row as Row));
        const seen = ([...rows.shown[store].values()] as unknown as Row[]).map(asText);
        must(
          written.toSorted().join() === seen.toSorted().join(),
          'I4',
          key,
          () => `${tab.proc.name} shows ${seen.length} ${store}, and the disk has ${written.length}, or others`,
        );
      }
    }
}
