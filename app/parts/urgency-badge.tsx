import { Badge } from '../ui/badge.tsx';
import { urgencyLabels, type Urgency } from '../words/urgency.ts';

/** The tones follow the weight: orange is kept for what one may do. */
const tones = { slow: 'quiet', soon: 'neutral', urgent: 'strong' } as const;
const icons = { slow: 'calendar', soon: 'clock', urgent: 'bolt' } as const;

export function UrgencyBadge({ urgency }: { readonly urgency: Urgency }) {
  return (
    <Badge tone={tones[urgency]} icon={icons[urgency]}>
      {urgencyLabels[urgency]}
    </Badge>
  );
}
