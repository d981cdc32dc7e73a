/** One check of the doctor, in words for the operator. */
export interface Finding {
  about: string;
  /** `missing`: it will not work like this. `warning`: look at it, it may be meant so. */
  level: 'good' | 'warning' | 'missing';
  says: string;
}

export const good = (about: string, says: string): Finding => ({ about, level: 'good', says });
export const warning = (about: string, says: string): Finding => ({ about, level: 'warning', says });
export const missing = (about: string, says: string): Finding => ({ about, level: 'missing', says });

/** What a look-up came to, or a finding that says why it could not be made. */
export async function lookUp<T>(
  about: string,
  what: string,
  ask: () => Promise<T>,
  found: (value: T) => Finding[],
): Promise<Finding[]> {
  try {
    return found(await ask());
  } catch (error) {
    return [missing(about, `${what} could not be looked at: ${error instanceof Error ? error.message : 'no answer'}`)];
  }
}
