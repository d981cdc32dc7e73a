import type { Job } from '../../shared/tables/index.ts';

export type Urgency = Job['urgency'];

export const urgencyLabels: Readonly<Record<Urgency, string>> = {
  slow: 'Slow - No rush',
  soon: 'Soon - Within 2 weeks',
  urgent: 'Urgent - ASAP',
};

export const urgencies = ['slow', 'soon', 'urgent'] as const satisfies readonly Urgency[];
