/** Over for good: such a subscription never comes back. */
export function isEnded(status: string): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
