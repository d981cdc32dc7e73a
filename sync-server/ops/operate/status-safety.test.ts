import { expect, it } from 'vitest';
import { safetySection } from './status-safety.ts';

it('the page says of what waits after a restore that it is at least so much: a phone with 1,600 edits of one job asks for some of them', () => {
  const page = String(
    safetySection({
      by: null,
      safeSince: null,
      notSafe: 0,
      restore: {
        at: new Date(0),
        point: '1',
        sentAgain: { applied: 3, refused: 0, parked: 0, waitingAtLeast: 400, devices: 1, people: 1 },
        unheard: { devices: 0, known: 1 },
      },
    }),
  );
  expect(page).toContain('Waits for what another may bring, as far as phones have asked');
  expect(page).toContain('at least 400');
});
