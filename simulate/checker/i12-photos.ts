import { viewOfCommitted } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { World } from '../world/world.ts';
import type { ClientGroup } from './client-group.ts';
import { must } from './violation.ts';

/** I12, second half: each photo is there once, and no job has more than it may. */
export function i12ArrivesOnce({ backend }: World): void {
  for (const job of viewOfCommitted(backend.committed()).all('jobs')) {
    const images = job['images'] as string[];
    must(
      new Set(images).size === images.length && images.length <= 5,
      'I12',
      'the server',
      () => `job ${String(job['id'])} has a photo twice, or too many`,
    );
  }
}

/** I12, third: a photo that has left its device is on its job, unless the server said why not. */
export function i12EndsOnItsJob({ backend, decisions, checker }: World, groups: readonly ClientGroup[]): void {
  const jobs = backend.committed().get('jobs');
  const takenOff = checker
    .groups()
    .flatMap(({ made }) => [...made.values()])
    .flatMap(({ name, args }) => (name === 'photo.remove' ? [(args as { url: string }).url] : []));
  for (const group of groups) {
    for (const [id, { path, jobId }] of group.sentPhotos) {
      const attaches = [...group.made.values()].filter(
        ({ name, args }) => name === 'photo.attach' && (args as { id: string }).id === id,
      );
      if (group.droppedPhotos.has(id) || attaches.some(({ uid }) => group.excused.has(uid) || group.cancelled.has(uid)))
        continue;
      must(
        attaches.length > 0,
        'I12',
        group.key,
        () => `photo ${id} left the device, and nothing ever said whose job it is on`,
      );
      const job = jobs?.get(jobId);
      // The job was deleted; another person may have posted under its id since.
      const isGone = job?.['userId'] !== group.userId;
      const isOn = isGone || (job['images'] as string[]).some((url) => url.endsWith(path));
      const wasApplied = attaches.some(
        ({ uid, argsHash }) =>
          decisions.of(group.userId, uid)?.status === 'applied' &&
          decisions.of(group.userId, uid)?.argsHash === argsHash,
      );
      must(
        isOn || !wasApplied || takenOff.some((url) => url.endsWith(path)),
        'I12',
        group.key,
        () => `photo ${id} was accepted, and is not on job ${jobId}`,
      );
    }
  }
}
