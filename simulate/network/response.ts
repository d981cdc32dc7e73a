import type { Said } from '../server/wire.ts';
import type { SimProcess, Loop } from '../time/loop.ts';

/**
 * When a piece of a stream arrives, in milliseconds from now: once as a rule, and not at all, twice or late where it is
 * doomed.
 */
export type DeliveryTimes = (text: string) => readonly number[];

/** What the client code reads of a `Response`: status, headers, text, and the body's reader of a stream. */
export function asResponse(
  said: Said,
  proc: SimProcess,
  loop: Loop,
  isUp: () => boolean,
  signal: AbortSignal | null | undefined,
  deliveryTimes: DeliveryTimes,
): Response {
  const { status, body, headers = {} } = said;
  const shown = {
    status,
    ok: status >= 200 && status < 300,
    headers: new Headers(headers),
    text: async () => body,
    arrayBuffer: async () => new TextEncoder().encode(body).buffer,
    json: async () => JSON.parse(body) as unknown,
    body:
      said.stream === undefined
        ? null
        : { getReader: () => readerOf(said.stream!, proc, loop, isUp, signal, deliveryTimes) },
  };
  return shown as unknown as Response;
}

function readerOf(
  open: NonNullable<Said['stream']>,
  proc: SimProcess,
  loop: Loop,
  isUp: () => boolean,
  signal: AbortSignal | null | undefined,
  deliveryTimes: DeliveryTimes,
): { read(): Promise<{ done: boolean; value?: Uint8Array }> } {
  const encoder = new TextEncoder();
  const came: (Uint8Array | 'end')[] = [];
  let wake: (() => void) | undefined;
  let wasAborted = false;
  const put = (piece: Uint8Array | 'end') => {
    came.push(piece);
    wake?.();
  };
  const close = open(
    (text) => {
      if (proc.state === 'dead') close();
      else if (isUp()) for (const ms of deliveryTimes(text)) loop.after(ms, () => put(encoder.encode(text)), proc);
    },
    () => void loop.after(20, () => put('end'), proc),
  );
  signal?.addEventListener('abort', () => {
    wasAborted = true;
    close();
    wake?.();
  });
  return {
    read: async () => {
      while (came.length === 0 && !wasAborted) await new Promise<void>((resolve) => (wake = resolve));
      if (wasAborted) throw new DOMException('Aborted', 'AbortError');
      const piece = came.shift()!;
      return piece === 'end' ? { done: true } : { done: false, value: piece };
    },
  };
}
