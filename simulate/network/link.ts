import { changeEvent } from '../../shared/protocol/poke.ts';
import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Counters } from '../world/counters.ts';
import type { SimProcess, Loop } from '../time/loop.ts';
import { problem } from '../server/http-front.ts';
import type { Question, Said } from '../server/wire.ts';
import { asResponse } from './response.ts';

/** The product's origin. */
export const siteUrl = 'https://dwang.example.nz';

/** The fate of one request, named as the trace of a run prints it. */
export const fates = [
  'request lost',
  'answer lost',
  'sent twice',
  'overtaken',
  'answer late',
  'answer cut short',
  'captive portal',
  'portal says 401',
  'accepted and never answered',
  'server unwell',
  'told to wait',
  'too large',
  'app too old',
] as const;
export type Fate = (typeof fates)[number];

/** The possible fates of a request of another kind than the exchange. */
export const fatesOf = {
  exchange: fates,
  refresh: [
    'request lost',
    'answer lost',
    'answer late',
    'answer cut short',
    'captive portal',
    'accepted and never answered',
    'server unwell',
    'told to wait',
  ],
  upload: [
    'request lost',
    'answer lost',
    'answer late',
    'answer cut short',
    'bytes cut short',
    'captive portal',
    'accepted and never answered',
    'server unwell',
    'told to wait',
  ],
  shelf: [
    'request lost',
    'answer late',
    'answer cut short',
    'captive portal',
    'accepted and never answered',
    'server unwell',
    'told to wait',
  ],
  /** Faults of an event that carries a change. Late: others overtake it. */
  change: ['event lost', 'event twice', 'event late'],
} as const satisfies Record<string, readonly (Fate | 'bytes cut short' | `event ${string}`)[]>;
export type Route = keyof typeof fatesOf;
export const routes = Object.keys(fatesOf) as Route[];
type AnyFate = (typeof fatesOf)[Route][number];

/** Undefined for requests that no fault but the loss of signal hits. */
function routeOf(path: string): Route | undefined {
  if (path === '/api/sync') return 'exchange';
  if (path.includes('grant_type=refresh_token')) return 'refresh';
  if (path.startsWith('/storage/')) return 'upload';
  return path.startsWith('/api/sync/shelves/') ? 'shelf' : undefined;
}

/** Exchanges time out after half a minute; the others take as long as their caller waits, or longer. */
const lateMs = {
  exchange: [25_000, 20_000],
  refresh: [2_000, 30_000],
  upload: [20_000, 160_000],
  shelf: [2_000, 90_000],
  change: [1_000, 90_000],
} as const;

/** An event's usual way. */
const eventMs = 20;

/** `deaf`: requests arrive, answers do not. */
export type LinkState = 'up' | 'down' | 'deaf';

export interface LinkParts {
  loop: Loop;
  counters: Counters;
  chance: SeededRandom;
  /**
   * Passes a request to some running server; rejects where none is reached, and never settles where its process dies
   * silently.
   */
  serve(question: Question): Promise<Said>;
}

/** One device's connection to the world. Without a fate set, a request succeeds, in its time. */
export interface Link {
  state(): LinkState;
  set(state: LinkState): void;
  /** The next request of this kind meets this fate. */
  doom(route: Route, fate: AnyFate): void;
  clear(): void;
  fetchFor(proc: SimProcess): typeof fetch;
}

export const networkError = () => new TypeError('Failed to fetch');
const portal: Said = { status: 200, body: '<!doctype html><title>Welcome to the café’s WiFi</title>' };

export function createLink({ loop, counters, chance, serve }: LinkParts): Link {
  let state: LinkState = 'up';
  let doomed: { route: Route; fate: AnyFate }[] = [];
  const wayMs = () => 5 + chance.below(chance.below(8) === 0 ? 2_000 : 120);

  function deliveryTimes(text: string): readonly number[] {
    const at = text.includes(`event: ${changeEvent}\n`) ? doomed.findIndex(({ route }) => route === 'change') : -1;
    const fate = at < 0 ? undefined : doomed.splice(at, 1)[0]?.fate;
    if (fate === undefined) return [eventMs];
    counters.count(`fault: change: ${fate}`);
    const late = lateMs.change[0] + chance.below(lateMs.change[1]);
    if (fate === 'event lost') return [];
    return fate === 'event late' ? [late] : [eventMs, late];
  }

  function ask(proc: SimProcess, question: Question, signal: AbortSignal | null | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const route = routeOf(question.path);
      const next = state === 'up' ? doomed.findIndex((doom) => doom.route === route) : -1;
      const fate = next < 0 ? undefined : doomed.splice(next, 1)[0]?.fate;
      if (fate !== undefined) counters.count(`fault: ${route === 'exchange' ? '' : `${route}: `}${fate}`);
      const answer = (said: Said, ms = wayMs()) =>
        loop.after(
          ms,
          () =>
            state === 'up'
              ? resolve(asResponse(said, proc, loop, () => state === 'up', signal, deliveryTimes))
              : undefined,
          proc,
        );
      const lose = (ms = wayMs()) => loop.after(ms, () => reject(networkError()), proc);
      const arrive = (ms: number, then: (said: Said) => void, asked = question) =>
        void loop.after(ms, () => {
          void serve(asked).then(then, () => lose());
        });
      signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      if (state === 'down') return void lose(1);
      if (state === 'deaf') {
        counters.count('fault: heard but not answered (asymmetric partition)');
        return arrive(wayMs(), () => {});
      }
      switch (fate) {
        case undefined:
          return arrive(wayMs(), answer);
        case 'request lost':
          return chance.below(2) === 0 ? void lose() : undefined;
        case 'answer lost':
          return arrive(wayMs(), chance.below(2) === 0 ? () => void lose() : () => {});
        case 'sent twice':
          arrive(wayMs() + chance.below(40_000), () => {});
          return arrive(wayMs(), answer);
        case 'overtaken':
          // The device has long timed out, and perhaps sent more, when this one arrives.
          lose(chance.below(300));
          return arrive(500 + chance.below(90_000), () => {});
        case 'answer late':
          return arrive(
            wayMs(),
            (said) => void answer(said, lateMs[route ?? 'exchange'][0] + chance.below(lateMs[route ?? 'exchange'][1])),
          );
        case 'bytes cut short':
          return arrive(wayMs(), () => void lose(), {
            ...question,
            bytes: question.bytes?.slice(0, question.bytes.byteLength / 2),
          });
        case 'answer cut short':
          return arrive(wayMs(), (said) => void answer({ ...said, body: said.body.slice(0, said.body.length / 2) }));
        case 'captive portal':
          return void answer(portal);
        case 'portal says 401':
          return void answer({ ...portal, status: 401 });
        case 'accepted and never answered':
          return undefined;
        case 'server unwell':
          return void answer({ status: 500 + chance.below(3), body: 'Bad Gateway' });
        case 'told to wait':
          return void answer(
            problem(chance.below(2) === 0 ? 429 : 503, 'busy', { 'Retry-After': String(1 + chance.below(20)) }),
          );
        case 'too large':
          return void answer(problem(413, 'too-large'));
        case 'app too old':
          return void answer(problem(426, 'update-needed'));
        case 'event lost':
        case 'event twice':
        case 'event late':
          throw new Error('Events are no requests.');
      }
    });
  }

  return {
    state: () => state,
    set: (to) => void (state = to),
    doom: (route, fate) => void doomed.push({ route, fate }),
    clear: () => {
      state = 'up';
      doomed = [];
    },
    fetchFor: (proc) => async (input, init) => {
      const headers = new Headers(init?.headers);
      const bytes = init?.body instanceof ArrayBuffer ? init.body : undefined;
      return ask(
        proc,
        {
          path: String(input).replace(siteUrl, ''),
          token: headers.get('Authorization')?.replace('Bearer ', ''),
          body: typeof init?.body === 'string' ? init.body : undefined,
          bytes,
          length: bytes?.byteLength,
          headers: Object.fromEntries(headers),
        },
        init?.signal,
      );
    },
  };
}
