/** The device that `X-Device-Id` names: a plain text of its own making; anything else counts as none. */
export function deviceOf(device: string): string | undefined {
  return /^[\w-]{8,64}$/.test(device) ? device : undefined;
}
