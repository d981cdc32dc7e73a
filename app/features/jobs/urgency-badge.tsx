import { Badge } from '../../ui/badge.tsx';
import { urgencyLabels, type Urgency } from '../../words/urgency.ts';

const tones = { slow: 'neutral', soon: 'neutral', urgent: 'accent' } as const;
const icons = { slow: 'calendar', soon: 'clock', urgent: 'bolt' } as const;

export function UrgencyBadge({ urgency }: { readonly urgency: Urgency }) {
  return (
    <Badge tone={tones[urgency]} icon={icons[urgency]}>
      {urgencyLabels[urgency]}
    </Badge>
  );
}
