/** One end of a channel: a BroadcastChannel, or what stands for it. */
export interface Channel<Message> {
  post(message: Message): void;
  listen(hear: (message: Message) => void): () => void;
}

import type { SimProcess, Loop } from '../time/loop.ts';

/** The BroadcastChannels of one browser: a tab receives all messages but its own, a frozen one when it thaws. */
export function createChannels(loop: Loop): <Message>(proc: SimProcess, name: string) => Channel<Message> {
  const ears = new Set<{ proc: SimProcess; name: string; hear: (message: never) => void }>();
  return (proc, name) => ({
    post: (message) => {
      for (const ear of ears) {
        if (ear.proc !== proc && ear.name === name)
          loop.after(1, () => ears.has(ear) && ear.hear(message as never), ear.proc);
      }
    },
    listen: (hear) => {
      const ear = { proc, name, hear };
      ears.add(ear);
      return () => void ears.delete(ear);
    },
  });
}
