/** Tells whether a subscription is over for good: such a one never comes back. */
export function isEnded(status: string): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
