import type { RandomSource } from '../../shared/lib/id.ts';
import type { CommitChannel } from '../db/private-rows.ts';
import type { ChannelPort } from '../sync/ports.ts';

export const browserRandom: RandomSource & { next(): number } = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  next: () => Math.random(),
};

/** The browser's data saver is on. Chromium alone reports it. */
export function browserSavesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
}

/** A BroadcastChannel. What still ends once it is closed is not told: who missed it reads the disk. */
function browserChannelOf<Message>(name: string) {
  const channel = new BroadcastChannel(name);
  let isOpen = true;
  return {
    post: (message: Message) => {
      if (isOpen) channel.postMessage(message);
    },
    listen: (hear: (message: Message) => void) => {
      const onMessage = (event: MessageEvent<Message>) => hear(event.data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    close: () => {
      isOpen = false;
      channel.close();
    },
  };
}

export type Closable = { close(): void };

/** Messages between this person's tabs. */
export const browserChannel = (userId: string): ChannelPort & Closable => browserChannelOf(`dwang-${userId}`);

/** What this person's tabs tell each other of what they wrote. */
export const browserCommits = (userId: string): CommitChannel & Closable => browserChannelOf(`dwang-commits-${userId}`);
