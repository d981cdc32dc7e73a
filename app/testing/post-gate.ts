import { makeTestId } from '../../shared/testing/make.ts';
import type { Phone } from './open-device-harness.ts';

/** A job like any other, posted from this phone. */
export const postGate = (phone: Pick<Phone, 'sync'>, title = 'Fix the gate') =>
  phone.sync.mutate('job.post', {
    id: makeTestId(),
    title,
    description: 'It drags.',
    locationId: 'southland/winton',
    urgency: 'soon',
    categoryId: 'fencing',
  });
