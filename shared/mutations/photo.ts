import * as z from 'zod/mini';
import type { Job } from '../tables/index.ts';
import { id, maxPhotos, photoUrl } from '../tables/fields.ts';
import { defineMutation } from './define-mutation.ts';
import { Refusal } from './refusal.ts';

const isOwner = ({ actor, row }: { actor: { id: string }; row: Job }) => row.userId === actor.id;
const mustBeOpen = ({ row }: { row: Job }) =>
  row.status === 'closed' ? new Refusal('job-closed', 'This job is closed, so its photos can’t be changed.') : undefined;

/** Does this address lie under the owner's own path for this job (path = user/job/name)? */
export function isOwnPhoto(url: string, at: { photoBase: string; userId: string; jobId: string }): boolean {
  const ownPath = `${at.photoBase}${at.userId}/${at.jobId}/`;
  const name = url.slice(ownPath.length);
  return url.startsWith(ownPath) && /^[\w-][\w.-]*$/.test(name);
}

/** What is said of a photo that is somebody else's, or nobody's. */
export function foreignPhoto(): Refusal {
  return new Refusal('foreign-photo', 'That photo is not one of this job’s own.', { url: 'Choose a photo from this job.' });
}

export const photoMutations = {
  /** Shows a photo that is already in storage. Only files under the owner's own path for this job are taken. */
  'photo.attach': defineMutation({
    on: 'jobs',
    args: z.object({ id, jobId: id, url: photoUrl }),
    target: (args) => args.jobId,
    allow: isOwner,
    already: async (_tx, { args, row }) => row.images.includes(args.url),
    check: mustBeOpen,
    apply: async (tx, { actor, args, row, photoBase }) => {
      if (!isOwnPhoto(args.url, { photoBase, userId: actor.id, jobId: row.id })) throw foreignPhoto();
      if (row.images.length >= maxPhotos) {
        throw new Refusal('too-many-photos', `A job can have ${maxPhotos} photos at most.`);
      }
      await tx.jobs.update(row.id, { images: [...row.images, args.url] });
    },
  }),

  'photo.remove': defineMutation({
    on: 'jobs',
    args: z.object({ id, url: photoUrl }),
    allow: isOwner,
    already: async (_tx, { args, row }) => !row.images.includes(args.url),
    check: mustBeOpen,
    apply: (tx, { args, row }) => tx.jobs.update(row.id, { images: row.images.filter((url) => url !== args.url) }),
  }),
};
