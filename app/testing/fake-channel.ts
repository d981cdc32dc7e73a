import type { ChannelMessage } from '../sync/ports.ts';

export interface FakeChannel<Message> {
  post(message: Message): void;
  listen(hear: (message: Message) => void): () => void;
}

/** A BroadcastChannel in one process: every tab gets an end of its own, and hears all but itself. */
export function fakeChannel<Message = ChannelMessage>(): () => FakeChannel<Message> {
  const listeners = new Map<object, Set<(message: Message) => void>>();
  return () => {
    const self = {};
    const own = new Set<(message: Message) => void>();
    listeners.set(self, own);
    return {
      post: (message) => {
        for (const [tab, heard] of listeners) {
          if (tab !== self) for (const hear of heard) queueMicrotask(() => heard.has(hear) && hear(message));
        }
      },
      listen: (hear) => {
        own.add(hear);
        return () => void own.delete(hear);
      },
    };
  };
}
