import { createCell } from '../lib/cell.ts';
import type { PushAlerts, PushState } from '../pwa/push-alerts.ts';

/** Alerts of a device in this state; a browser that is asked answers with `turned`. */
export function fakeAlerts(first: PushState, turned: PushState | Error = 'on'): PushAlerts {
  const state = createCell<PushState>(first);
  return {
    state,
    turnOn: async () => {
      if (turned instanceof Error) throw turned;
      state.set(turned);
      return turned;
    },
    turnOff: async () => state.set('off'),
    end: async () => undefined,
    look: async () => undefined,
  };
}
