import type { Clock } from '../db/clock.ts';
import type { PersonDb } from '../db/person-db.ts';
import { createLogoUploadQueue } from '../photos/logo-upload-queue.ts';
import { createPhotoUploadQueue } from '../photos/photo-upload-queue.ts';
import { createPutLogo } from '../photos/put-logo.ts';
import type { UploadQueue } from '../photos/upload-queue.ts';
import { createStorageUpload } from '../photos/upload.ts';
import type { Config } from '../session/config.ts';
import type { Tokens } from '../session/create-tokens.ts';
import { createSync, type Sync } from '../sync/create-sync.ts';
import { createHttpTransport } from '../sync/http-transport.ts';
import type { SyncPorts } from '../sync/ports.ts';
import { createTrace } from '../sync/trace.ts';
import { withOwnProfile } from './with-own-profile.ts';

/** What differs between a page and the service worker. */
type Surroundings = Omit<SyncPorts, 'db' | 'clock' | 'transport' | 'session' | 'uploads'>;

export interface PersonEnginePorts extends Surroundings {
  db: PersonDb;
  clock: Clock;
  config: Config;
  tokens: Tokens;
  fetch: typeof fetch;
  log(event: string, detail: string): void;
  /** The engine as its caller and the queues use it. */
  wrap?(sync: Sync): Sync;
}

export interface PersonEngine {
  readonly sync: Sync;
  readonly photoUploads: UploadQueue;
  readonly logoUploads: UploadQueue;
  /** Resolves when nothing of it is under way. */
  stop(): Promise<void>;
}

/**
 * The one composition of the engine over HTTP, for a page and for the service worker: exchange, photos and logo of one
 * person.
 */
export function createPersonEngine(ports: PersonEnginePorts): PersonEngine {
  const { db, clock, random, config, tokens, fetch, log } = ports;
  const uploadTo = (bucket: 'job-photos' | 'tradie-logos') =>
    createStorageUpload({
      bucket,
      supabaseUrl: config.supabaseUrl,
      anonKey: config.supabaseAnonKey,
      fetch,
      accessToken: tokens.accessToken,
    });
  const common = { db, clock, random, log };
  const photoUploads = createPhotoUploadQueue({
    ...common,
    upload: uploadTo('job-photos'),
    refresh: tokens.refresh,
    mutate: (name, args, companions) => sync.mutate(name, args, companions),
  });
  const logoUploads = createLogoUploadQueue({
    ...common,
    userId: ports.userId,
    putLogo: createPutLogo({ upload: uploadTo('tradie-logos'), refresh: tokens.refresh }),
    mutate: (name, args, companions) => sync.mutate(name, args, companions),
    wakeUp: () => sync.wakeUp('enqueue'),
  });
  const token = async () => (await tokens.accessToken()) ?? undefined;
  const transport = createHttpTransport({ url: '/api/sync', fetch, token, trace: createTrace(db) });
  const plain = createSync({
    ...ports,
    transport: withOwnProfile(transport, { db, userId: ports.userId, fetch, token, log }),
    session: tokens,
    uploads: {
      onDecided: photoUploads.onDecided,
      afterExchange: () => {
        photoUploads.afterExchange();
        logoUploads.afterExchange();
      },
    },
  });
  const sync = ports.wrap?.(plain) ?? plain;
  return {
    sync,
    photoUploads,
    logoUploads,
    stop: async () => {
      photoUploads.stop();
      logoUploads.stop();
      await sync.stop();
      await Promise.all([photoUploads.settled(), logoUploads.settled()]);
    },
  };
}
