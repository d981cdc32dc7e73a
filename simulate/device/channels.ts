/** One end of a channel: a BroadcastChannel, or what stands for it. */
export interface Channel<Message> {
  post(message: Message): void;
  listen(hear: (message: Message) => void): () => void;
}

import type { Life, Loop } from '../time/loop.ts';

/** The BroadcastChannels of one browser: a tab receives all messages but its own, a frozen one when it thaws. */
export function createChannels(loop: Loop): <Message>(life: Life, name: string) => Channel<Message> {
  const ears = new Set<{ life: Life; name: string; hear: (message: never) => void }>();
  return (life, name) => ({
    post: (message) => {
      for (const ear of ears) {
        if (ear.life !== life && ear.name === name)
          loop.after(1, () => ears.has(ear) && ear.hear(message as never), ear.life);
      }
    },
    listen: (hear) => {
      const ear = { life, name, hear };
      ears.add(ear);
      return () => void ears.delete(ear);
    },
  });
}
