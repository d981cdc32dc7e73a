import {
  maxMutations,
  maxRequestBytes,
  type ExchangeRequest,
  type SentMutation,
} from '../../shared/protocol/exchange.ts';
import { mutationsVersion, protocolVersion, schemaVersion } from '../../shared/protocol/version.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';
import type { Fence } from './fence.ts';
import type { CollectionsQuestion } from './ports.ts';

export interface PackOptions {
  epoch: number;
  /** Whose database this is. */
  userId: string;
  collections: CollectionsQuestion;
  /** Most mutations to send: fewer after a 413. */
  limit: number;
  /**
   * The last answer said there is more: ask for the rest first, and send nothing new meanwhile. Only these were sent with the question for
   * the first page: what the server kept under a uid it has not compared with ours may be about something else. Undefined: no page.
   */
  paging: readonly string[] | undefined;
  /** There seems to be no network: leave what was never sent unsent, so that it can still be cancelled (C7). */
  isProbe: boolean;
}

export interface Packed {
  request: ExchangeRequest;
  fence: Fence;
}

/** Space in a request for everything that is not a mutation: 500 uids to wait for, the cookie, the collections' versions. */
const bytesForTheRest = 24 * 1024;

/**
 * The next question, from the head of the outbox in order (I2). What is sent is marked as sent, durably, before that (C7), and the
 * cause of an earlier attempt's failure is cleared. Undefined where another tab leads by now.
 */
export async function packRequest(db: PersonDb, options: PackOptions): Promise<Packed | undefined> {
  const { epoch, userId, collections } = options;
  return db.transaction('rw', ['outbox', 'meta'], async () => {
    const [leader, meta] = await db.meta.bulkGet(['leader', 'cookie']);
    if ((leader?.value as { epoch: number } | undefined)?.epoch !== epoch) return undefined;
    const cookie = (meta?.value as string | undefined) ?? null;
    // No more than one request can carry: it costs the same whether fifty wait or five thousand. What was sent before is among them.
    const entries = await db.outbox.orderBy('seq').limit(maxMutations).toArray();
    const { paging } = options;
    const going = paging === undefined ? chooseHead(entries, options) : [];
    await db.outbox.bulkPut(
      going.map((entry) => ({ ...entry, state: 'sent' as const, attempts: entry.attempts + 1, lastError: null })),
    );
    const awaiting = entries.filter(({ uid }) => paging?.includes(uid)).map(({ uid }) => uid);
    return {
      request: {
        protocol: protocolVersion,
        schema: schemaVersion,
        mutationsVersion,
        userId,
        cookie,
        shelves: collections.versions,
        timelines: collections.timelines,
        mutations: going.map(asSent),
        awaiting,
      },
      fence: { epoch, cookie },
    };
  });
}

const asSent = ({ uid, name, args, at }: OutboxEntry): SentMutation => ({ uid, name, args, at });

function chooseHead(entries: OutboxEntry[], { limit, isProbe }: PackOptions): OutboxEntry[] {
  const going: OutboxEntry[] = [];
  const utf8 = new TextEncoder();
  let bytes = bytesForTheRest;
  for (const entry of entries.slice(0, limit)) {
    if (isProbe && entry.state === 'new') break;
    bytes += utf8.encode(JSON.stringify(asSent(entry))).byteLength + 1;
    // One that is too big by itself is sent alone: the server's answer decides it, not silence.
    if (bytes > maxRequestBytes && going.length > 0) break;
    going.push(entry);
  }
  return going;
}
