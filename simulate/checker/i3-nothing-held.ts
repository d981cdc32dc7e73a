import { heldBegins } from '../../app/sync/mutate.ts';
import type { World } from '../world/world.ts';
import type { ClientGroup } from './client-group.ts';
import { must } from './violation.ts';

/**
 * I3, at the end: nothing is held for ever, and what was held and not undone is a mutation where there was still a job
 * to close.
 */
export function i3NothingHeld({ backend }: World, groups: readonly ClientGroup[]): void {
  for (const group of groups) {
    const drafts = group.device.disk.read(group.database, 'drafts') as readonly { key: string }[];
    const still = drafts.filter(({ key }) => key.startsWith(heldBegins));
    must(still.length === 0, 'I3', group.key, () => `${still.map(({ key }) => key).join(', ')} is held for ever`);
    if (group.wasRolledBack) continue;
    for (const [uid, jobId] of group.held) {
      // An operator took it away, or it was closed elsewhere: the device itself says no then.
      const isOpen = backend.committed().get('jobs')?.get(jobId)?.['status'] === 'active';
      must(group.made.has(uid) || !isOpen, 'I3', group.key, () => `${uid} was held, not undone, and never made`);
    }
  }
}
