import { fileRef, type Bucket } from '../lib/file-ref.ts';
import { Rejection } from './rejection.ts';

/** A file in storage: who put it there, and the path it is shown under. */
export interface StoredFile {
  readonly ownerId: string | null;
  readonly ref: string;
}

/**
 * What storage says of the files a mutation names: null where it has no such file. A file that is not listed could not
 * be asked about, as on a device, which never can.
 */
export type KnownFiles = ReadonlyMap<string, StoredFile | null>;

/** Why a file may not be shown. */
type Objection = 'foreign' | 'missing';

export interface OwnFile {
  bucket: Bucket;
  address: string;
  actorId: string;
  files: KnownFiles | undefined;
  /** Is a file in these folders ([] for none) the person's to show, going by its path alone? */
  isOwnFolder(folders: readonly string[]): boolean;
}

/**
 * The file as it is to be kept, or why it cannot be: checked by its path, and where storage could be asked also by who
 * put it there.
 */
export function ownFile({
  bucket,
  address,
  actorId,
  files,
  isOwnFolder,
}: OwnFile): { ref: string } | { objection: Objection } {
  const ref = fileRef(bucket, address);
  if (ref === undefined) return { objection: 'foreign' };
  const folders = ref.split('/').slice(1, -1);
  const found = files?.get(ref);
  // A plain name, without a folder, says nothing of whose it is.
  const isPlain = folders.length === 0;
  if (!isPlain && !isOwnFolder(folders)) return { objection: 'foreign' };
  if (found === null) return { objection: 'missing' };
  if (found === undefined ? isPlain : found.ownerId !== actorId) return { objection: 'foreign' };
  return { ref: found?.ref ?? ref };
}

/** Storage lost it: the device uploads its bytes again, and then asks anew. */
export function missingFile(field: string): Rejection {
  return new Rejection('file-missing', 'The server does not have this picture any more. It has to be sent again.', {
    [field]: 'Send this picture again.',
  });
}
