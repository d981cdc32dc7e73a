import { Badge } from '../ui/badge.tsx';

/**
 * Only for a business whose number passed the check digit or the register: an unearned label breaches the Fair Trading
 * Act 1986.
 */
export function VerifiedBadge() {
  return (
    <Badge icon="shield" tone="good">
      Verified Business
    </Badge>
  );
}
