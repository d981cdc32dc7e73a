import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { IDBFactory } from 'fake-indexeddb';
import type { AnswerOf, CallName } from '../../shared/api/index.ts';
import { createId } from '../../shared/lib/id.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeReference } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { CallUnanswered, type Caller } from '../api/call.ts';
import {
  AppContext,
  type App,
  type Auth,
  type AlertOffer,
  type SessionContext,
  type AuthState,
  type Unsent,
} from '../context/app-context.ts';
import { createConnectionStatus } from '../compose/create-connection-status.ts';
import { systemClock } from '../db/clock.ts';
import { openPublicDb, type CollectionDb } from '../db/person-db.ts';
import { createHeldChanges } from '../held/held-changes.ts';
import { showHeldOutcome } from '../hooks/show-held-outcome.ts';
import { createCell } from '../lib/cell.ts';
import { createPhotoEntries } from '../photos/keep.ts';
import type { UpdateState } from '../pwa/app-update.ts';
import type { InstallState } from '../pwa/install-offer.ts';
import { createAppRouter } from '../routes/router.tsx';
import { createHttpCollections } from '../collections/http-collections.ts';
import { digestBytes } from '../collections/digest-bytes.ts';
import { watchPerson } from '../context/watch-person.ts';
import { watchUnsynced } from '../context/watch-unsynced.ts';
import { openSubscriptionGate } from '../collections/collection-gate.ts';
import { openCollectionMemory, type CollectionMemory } from '../collections/collection-memory.ts';
import { createCollections, type CollectionsOnDevice } from '../collections/collections-on-device.ts';
import { createToasts } from '../ui/create-toasts.ts';
import { fakeAlerts } from './fake-alerts.ts';
import { fakeDrafts } from './fake-drafts.ts';
import { linkThatBrings } from './link-that-brings.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from './open-device-harness.ts';

/** The answers of the documented calls in a test; one that is not named gets no answer. */
export type Answers = { [Name in CallName]?: () => Promise<AnswerOf<Name>> };

export interface Screen {
  readonly user: UserEvent;
  readonly phone: Phone | undefined;
  readonly app: App;
  /** Path and query of the address. */
  address(): string;
  goTo(path: string): Promise<void>;
  /** The browser's Back. */
  back(): Promise<void>;
}

export interface Screens {
  readonly harness: DeviceHarness;
  /**
   * Opens the real routes at `path`, as this person on a phone of theirs, or signed out. `disk`: the name of a phone
   * that is there.
   */
  show(
    path: string,
    person?: User,
    options?: {
      offline?: boolean;
      disk?: string;
      answers?: Answers;
      auth?: Partial<Auth>;
      app?: Partial<App>;
      /** How long what cannot be taken back is held; hardly at all, unless the test is about that. */
      holdMs?: number;
      feedRest?: SessionContext['feedRest'];
    },
  ): Promise<Screen>;
  close(): Promise<void>;
}

const random = seededRandom(5);
const clock = { now: () => Date.now(), setTimer: () => () => undefined };

/** The device harness with the real mutation rules, and its screens over the device's own collections. */
export async function openScreens(): Promise<Screens> {
  const publicDbs = new Map<string, CollectionDb>();
  const collectionsOf = new Map<string, CollectionsOnDevice>();
  const closing: (() => void)[] = [];
  const harness = await openDeviceHarness({
    collections: ({ db, fetch, userId }) => {
      const publicDb = publicDbs.get(db.name) ?? openPublicDb({ indexedDB: new IDBFactory() });
      publicDbs.set(db.name, publicDb);
      const collections = createCollections({
        dbs: { publicDb, personDb: db },
        userId,
        clock,
        chance: () => 0.5,
        digest: digestBytes,
        onDenied: async () => undefined,
        log: () => undefined,
        ...createHttpCollections({ fetch, clock, accessToken: async () => null }),
      });
      collectionsOf.set(db.name, collections);
      return collections;
    },
  });
  harness.server.collections.setReference([
    makeReference({ id: 'spouting', name: 'Spouting and Guttering' }),
    makeReference({ id: 'builder', name: 'Builder' }),
    makeReference({ id: 'southland/winton', kind: 'location', name: 'Winton', region: 'Southland' }),
    makeReference({ id: 'northland/whangarei', kind: 'location', name: 'Whangārei', region: 'Northland' }),
  ]);

  function partsOf(
    phone: Phone,
    ms: number,
    feedRest: SessionContext['feedRest'] = {
      isHeldBack: createCell(false),
      fetch: () => undefined,
      ask: () => undefined,
    },
  ): {
    context: SessionContext;
    reference: CollectionMemory<'reference'>;
    directory: CollectionMemory<'directory'>;
  } {
    const publicDb = publicDbs.get(phone.db.name) ?? openPublicDb({ indexedDB: new IDBFactory() });
    const { db, userId } = phone;
    const gate = openSubscriptionGate({ db, userId, clock: harness.clock });
    const feed = openCollectionMemory({ db, collection: 'feed', gate, isHeldBack: feedRest.isHeldBack });
    const reference = openCollectionMemory({ db: publicDb, collection: 'reference' });
    const directory = openCollectionMemory({ db: publicDb, collection: 'directory' });
    const held = createHeldChanges({
      db,
      clock: systemClock,
      random,
      mutate: (name, args, companions) => phone.sync.mutate(name, args, companions),
      log: () => undefined,
      ms,
    });
    closing.push(gate.close, feed.close, reference.close, directory.close, held.stop);
    return {
      reference,
      directory,
      context: {
        userId,
        db,
        drafts: fakeDrafts(db),
        sync: phone.sync,
        held,
        feed,
        feedRest,
        person: watchPerson(db, userId, harness.clock),
        unsynced: watchUnsynced(db),
        restoredChanges: createCell(0),
        logoUploads: {
          wake: () => undefined,
          afterExchange: () => undefined,
          onDecided: () => undefined,
          settled: async () => undefined,
          stop: () => undefined,
        },
        photos: {
          shrink: async (file) => ({ bytes: await file.arrayBuffer(), type: file.type, name: file.name }),
          entry: (jobId, photo) => {
            const [entry] = createPhotoEntries([{ ...photo, isOriginal: false }], {
              jobId,
              newId: () => photo.id,
              now: Date.now(),
            });
            if (entry === undefined) throw new Error('no entry');
            return entry;
          },
          retry: async () => undefined,
          remove: (id) => db.photos.delete(id),
        },
        keepScreen: async () => undefined,
        logOut: async () => undefined,
      },
    };
  }

  return {
    harness,
    show: async (
      path,
      person,
      { offline = false, disk, answers = {}, auth = {}, app: changes = {}, holdMs = 50, feedRest } = {},
    ) => {
      const phone = person === undefined ? undefined : await harness.as(person, disk);
      // What a phone has before it loses signal is all there: the lists, and the feed, which is asked for second.
      if (phone !== undefined) {
        await harness.sync(phone);
        await collectionsOf.get(phone.db.name)?.settled();
      }
      if (offline && phone !== undefined) {
        harness.goOffline(phone);
        phone.sync.sendNow();
        await phone.settle();
      }
      const parts = phone === undefined ? undefined : partsOf(phone, holdMs, feedRest);
      const emptyDb = openPublicDb({ indexedDB: new IDBFactory() });
      const connection = createConnectionStatus(window, () =>
        phone === undefined ? !offline : harness.network.mode(phone.name) !== 'offline',
      );
      connection.follow(parts?.context ?? null);
      const app: App = {
        auth: fakeAuth(auth),
        caller: fakeCaller(answers),
        toasts: createToasts(),
        authState: createCell<AuthState>(
          parts === undefined || person === undefined
            ? { kind: 'signed-out' }
            : {
                kind: 'signed-in',
                email: person.email,
                lacksProfile: false,
                needsSignIn: false,
                context: parts.context,
              },
        ),
        connection,
        reference: parts?.reference ?? openCollectionMemory({ db: emptyDb, collection: 'reference' }),
        directory: parts?.directory ?? openCollectionMemory({ db: emptyDb, collection: 'directory' }),
        putLogo: async () => ({ kind: 'unreachable' }),
        isPersonLost: createCell(false),
        unsent: createCell<Unsent | null>(null),
        linkQuestion: createCell(null),
        choosesPassword: createCell(null),
        isTakenOver: createCell(false),
        isInsecure: false,
        otherPages: { goTo: () => undefined, openTab: () => ({ goTo: () => undefined, close: () => undefined }) },
        authRedirect: linkThatBrings(() => ({ kind: 'none' })),
        dirtyForms: createCell(0),
        update: { state: createCell<UpdateState>('none'), accept: () => undefined, look: () => undefined },
        install: {
          state: createCell<InstallState>('none'),
          enable: () => undefined,
          install: async () => false,
          dismiss: () => undefined,
        },
        alerts: fakeAlerts('unsupported'),
        alertOffer: createCell<AlertOffer | null>(null),
        onSubscription: () => undefined,
        onProfile: () => undefined,
        offerInstallAfter: () => undefined,
        retryStart: () => undefined,
        evictsAfterWeek: false,
        log: () => undefined,
        newId: () => createId(Date.now(), random),
        now: () => new Date(harness.clock.now()).toISOString(),
        ...changes,
      };
      parts?.context.held.onMade((made) =>
        showHeldOutcome({ ...app, context: parts.context, onSeeWhy: () => undefined }, made),
      );
      const history = createMemoryHistory({ initialEntries: [path] });
      const router = createAppRouter(history);
      await act(async () => {
        render(
          <AppContext value={app}>
            <RouterProvider router={router} />
          </AppContext>,
        );
        await router.load();
      });
      return {
        user: userEvent.setup(),
        phone,
        app,
        address: () => history.location.href,
        goTo: (to) => act(() => router.navigate({ href: to })),
        back: () => act(async () => history.back()),
      };
    },
    close: async () => {
      cleanup();
      for (const end of closing) end();
      await harness.close();
    },
  };
}

function fakeAuth(changes: Partial<Auth>): Auth {
  return {
    signIn: async () => undefined,
    signUp: async () => 'confirm',
    sendReset: async () => undefined,
    resendConfirmation: async () => undefined,
    confirmByCode: async () => undefined,
    sessionEmail: async () => null,
    updatePassword: async () => undefined,
    mailCode: async () => undefined,
    devices: { list: async () => [], end: async () => undefined, endOthers: async () => undefined },
    ...changes,
  };
}

function fakeCaller(answers: Answers): Caller {
  return {
    call: async (name) => {
      const answer = answers[name];
      if (answer === undefined) throw new CallUnanswered(new Error('nobody answers in this test'));
      return answer() as never;
    },
  };
}
