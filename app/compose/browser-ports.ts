import type { RandomSource } from '../../shared/lib/id.ts';
import type { ChannelMessage, ChannelPort } from '../sync/ports.ts';

export const browserRandom: RandomSource & { next(): number } = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  next: () => Math.random(),
};

/** The browser's data saver is on. Chromium alone reports it. */
export function browserSavesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
}

/** Messages between this person's tabs. */
export function browserChannel(userId: string): ChannelPort & { close(): void } {
  const channel = new BroadcastChannel(`dwang-${userId}`);
  return {
    post: (message) => channel.postMessage(message),
    listen: (hear) => {
      const onMessage = (event: MessageEvent<ChannelMessage>) => hear(event.data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    close: () => channel.close(),
  };
}
