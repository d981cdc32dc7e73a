import type { User } from '../../../shared/tables/index.ts';

export interface StatusLabel {
  readonly label: 'Trial' | 'Active' | 'Inactive';
  readonly tone: 'good' | 'bad';
  /** Only a running subscription runs until some day. */
  readonly isRunning: boolean;
}

export function statusLabel(status: string | null): StatusLabel {
  if (status === 'trialing') return { label: 'Trial', tone: 'good', isRunning: true };
  if (status === 'active') return { label: 'Active', tone: 'good', isRunning: true };
  return { label: 'Inactive', tone: 'bad', isRunning: false };
}

/** The provider is asked only where the device knows no day that is still to come. */
export function mustAskUntil(user: Pick<User, 'subscriptionValidUntil'>, now: string): boolean {
  return user.subscriptionValidUntil === null || Date.parse(user.subscriptionValidUntil) <= Date.parse(now);
}

export interface SubscriptionDates {
  readonly trialEnd: string | null;
  readonly currentPeriodEnd: string | null;
}

/** `subscriptionValidUntil`, else `trialEnd`, else `currentPeriodEnd`; ISO instant. */
export function validUntil(
  user: Pick<User, 'subscriptionValidUntil'>,
  dates: SubscriptionDates | undefined,
): string | null {
  return user.subscriptionValidUntil ?? dates?.trialEnd ?? dates?.currentPeriodEnd ?? null;
}
