const demoAccounts = [
  'homeowner@demo.nz',
  'homeowner2@demo.nz',
  'tradie@demo.nz',
  'trialing@demo.nz',
  'lapsed@demo.nz',
];

/** The message for the person who started the server. */
export function welcome({
  demo,
  publicUrl,
  hasMailbox,
}: {
  demo: boolean;
  publicUrl: string;
  hasMailbox: boolean;
}): string {
  const lines = ['', `Dwang is ready at ${publicUrl}`];
  if (hasMailbox) lines.push(`Mail goes to    ${publicUrl}/dev/mailbox`);
  if (demo) lines.push(`Demo accounts   ${demoAccounts.join(', ')} (password: demo-password)`);
  return `${lines.join('\n')}\n\n`;
}
