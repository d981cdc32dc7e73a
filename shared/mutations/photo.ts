import * as z from 'zod/mini';
import { fileRef } from '../lib/file-ref.ts';
import type { Job } from '../tables/index.ts';
import { id, maxPhotos, photoRef } from '../tables/fields.ts';
import { defineMutation, type Question } from './define-mutation.ts';
import { missingFile, ownFile, type KnownFiles } from './own-file.ts';
import { Rejection } from './rejection.ts';

const isOwner = ({ actor, row }: Question<'jobs'>) => row.userId === actor.id;
const mustBeOpen = ({ row }: Question<'jobs'>) =>
  row.status === 'closed'
    ? new Rejection('job-closed', 'This job is closed, so its photos can’t be changed.')
    : undefined;

/** The rejection of a photo that is another person's, or of no person. */
export function foreignPhoto(): Rejection {
  return new Rejection('foreign-photo', 'That photo is not one of this job’s own.', {
    url: 'Choose a photo from this job.',
  });
}

interface NamedPhoto {
  actor: { id: string };
  row: Job;
  args: { url: string };
  files?: KnownFiles | undefined;
}

/**
 * A job's photos are in a folder named by the job's id, or under a plain name; phones of an earlier version put them
 * one folder deeper, below their person's id.
 */
function photoOf({ actor, row, args, files }: NamedPhoto): ReturnType<typeof ownFile> {
  const isOwnFolder = (folders: readonly string[]) => [row.id, `${actor.id}/${row.id}`].includes(folders.join('/'));
  return ownFile({ bucket: 'job-photos', address: args.url, actorId: actor.id, files, isOwnFolder });
}

/** Is this entry of a job's photos the one that is named? Rows of an earlier version hold whole addresses. */
function isNamed(image: string, { args, files }: Pick<NamedPhoto, 'args' | 'files'>): boolean {
  const named = fileRef('job-photos', args.url) ?? args.url;
  return [args.url, named, files?.get(named)?.ref].includes(fileRef('job-photos', image) ?? image);
}

const namedBy = (url: string) => [fileRef('job-photos', url) ?? []].flat();

export const photoMutations = {
  /** Shows a photo that is already in storage: one of the person's own, in this job's folder or under a plain name. */
  'photo.attach': defineMutation({
    on: 'jobs',
    args: z.object({ id, jobId: id, url: photoRef }),
    target: (args) => args.jobId,
    files: ({ url }) => namedBy(url),
    allow: isOwner,
    already: async (_tx, action) => action.row.images.some((image) => isNamed(image, action)),
    check: mustBeOpen,
    apply: async (tx, action) => {
      const { row } = action;
      const photo = photoOf(action);
      if ('objection' in photo) throw photo.objection === 'missing' ? missingFile('url') : foreignPhoto();
      if (row.images.length >= maxPhotos) {
        throw new Rejection('too-many-photos', `A job can have ${maxPhotos} photos at most.`);
      }
      await tx.jobs.update(row.id, { images: [...row.images, photo.ref] });
    },
  }),

  'photo.remove': defineMutation({
    on: 'jobs',
    args: z.object({ id, url: photoRef }),
    files: ({ url }) => namedBy(url),
    allow: isOwner,
    already: async (_tx, action) => !action.row.images.some((image) => isNamed(image, action)),
    check: mustBeOpen,
    apply: (tx, action) =>
      tx.jobs.update(action.row.id, { images: action.row.images.filter((image) => !isNamed(image, action)) }),
  }),
};
