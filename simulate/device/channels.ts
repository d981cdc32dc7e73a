import type { ChannelMessage, ChannelPort } from '../../app/sync/ports.ts';
import type { Life, Loop } from '../time/loop.ts';

/** The BroadcastChannels of one browser: a tab receives all messages but its own, a frozen one when it thaws. */
export function createChannels(loop: Loop): (life: Life, name: string) => ChannelPort {
  const ears = new Set<{ life: Life; name: string; hear: (message: ChannelMessage) => void }>();
  return (life, name) => ({
    post: (message) => {
      for (const ear of ears) {
        if (ear.life !== life && ear.name === name) loop.after(1, () => ears.has(ear) && ear.hear(message), ear.life);
      }
    },
    listen: (hear) => {
      const ear = { life, name, hear };
      ears.add(ear);
      return () => void ears.delete(ear);
    },
  });
}
