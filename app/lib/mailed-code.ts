/** The six digits of a mail, however they were typed; undefined where there are more or fewer. */
export function mailedCode(typed: string): string | undefined {
  const digits = typed.replaceAll(/\D/g, '');
  return digits.length === 6 ? digits : undefined;
}

export const notSixDigits = 'Enter the six digits of the email';
