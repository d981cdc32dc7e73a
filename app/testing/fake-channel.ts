import type { ChannelMessage, ChannelPort } from '../sync/ports.ts';

/** A BroadcastChannel in one process: every tab gets an end of its own, and hears all but itself. */
export function fakeChannel(): () => ChannelPort {
  const listeners = new Map<object, Set<(message: ChannelMessage) => void>>();
  return () => {
    const self = {};
    const own = new Set<(message: ChannelMessage) => void>();
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
