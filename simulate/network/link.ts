import type { SeededRandom } from '../../shared/testing/random-source.ts';
import type { Counters } from '../world/counters.ts';
import type { Life, Loop } from '../time/loop.ts';
import { problem, type Question, type Said } from '../server/http-front.ts';
import { asResponse } from './response.ts';

/** What becomes of one request. Each is named as it is told in a story. */
export const fates = [
  'request lost', 'answer lost', 'sent twice', 'overtaken', 'answer late', 'answer cut short', 'captive portal', 'portal says 401',
  'accepted and never answered', 'server unwell', 'told to wait', 'too large', 'app too old',
] as const;
export type Fate = (typeof fates)[number];

/** `deaf`: what is sent arrives, answers do not. */
export type LinkState = 'up' | 'down' | 'deaf';

export interface LinkParts {
  loop: Loop;
  counters: Counters;
  chance: SeededRandom;
  /** Gives a question to some running server; rejects where none is reached, and never settles where its process dies silently. */
  serve(question: Question): Promise<Said>;
}

/** One device's connection to the world. Without a fate set, a request goes well, in its time. */
export interface Link {
  state(): LinkState;
  set(state: LinkState): void;
  /** The next request of the exchange meets this. */
  doom(fate: Fate): void;
  clear(): void;
  fetchFor(life: Life): typeof fetch;
  /** Puts bytes somewhere over the same air. `arrive`: what happens at the other end. */
  carry<T>(life: Life, arrive: () => T): Promise<T>;
}

export const networkError = () => new TypeError('Failed to fetch');
const portal: Said = { status: 200, body: '<!doctype html><title>Welcome to the café’s WiFi</title>' };

export function createLink({ loop, counters, chance, serve }: LinkParts): Link {
  let state: LinkState = 'up';
  let doomed: Fate[] = [];
  const wayMs = () => 5 + chance.below(chance.below(8) === 0 ? 2_000 : 120);

  function ask(life: Life, question: Question, signal: AbortSignal | null | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const isExchange = question.path === '/api/sync';
      const fate = isExchange && state === 'up' ? doomed.shift() : undefined;
      if (fate !== undefined) counters.count(`fault: ${fate}`);
      const answer = (said: Said, ms = wayMs()) => loop.after(ms, () => (state === 'up' ? resolve(asResponse(said, life, loop, () => state === 'up', signal)) : undefined), life);
      const lose = (ms = wayMs()) => loop.after(ms, () => reject(networkError()), life);
      const arrive = (ms: number, then: (said: Said) => void) => void loop.after(ms, () => {
        void serve(question).then(then, () => lose());
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
          // The device has long given up, and perhaps sent more, when this one comes in.
          lose(chance.below(300));
          return arrive(500 + chance.below(90_000), () => {});
        case 'answer late':
          return arrive(wayMs(), (said) => void answer(said, 25_000 + chance.below(20_000)));
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
          return void answer(problem(chance.below(2) === 0 ? 429 : 503, 'busy', { 'Retry-After': String(1 + chance.below(20)) }));
        case 'too large':
          return void answer(problem(413, 'too-large'));
        case 'app too old':
          return void answer(problem(426, 'update-needed'));
      }
    });
  }

  return {
    state: () => state,
    set: (to) => void (state = to),
    doom: (fate) => void doomed.push(fate),
    clear: () => {
      state = 'up';
      doomed = [];
    },
    fetchFor: (life) => (input, init) => {
      const token = new Headers(init?.headers).get('Authorization')?.replace('Bearer ', '');
      const body = typeof init?.body === 'string' ? init.body : undefined;
      return ask(life, { path: String(input), token, body }, init?.signal);
    },
    carry: (life, arrive) =>
      new Promise((resolve, reject) => {
        const isUp = () => state === 'up';
        if (state === 'down') return void loop.after(1, () => reject(networkError()), life);
        loop.after(wayMs(), () => {
          const arrived = arrive();
          loop.after(wayMs(), () => (isUp() ? resolve(arrived) : reject(networkError())), life);
        });
      }),
  };
}
