import { useState } from 'react';
import type { Problems } from '../lib/field-problems.ts';
import type { FieldProblemLink } from '../ui/error-summary.tsx';

/**
 * A form's problems, at their fields and in one list. `prefix`: how the fields' ids begin. `aliases`: fields under
 * another name than the schema's.
 */
export function useFieldProblems<Field extends string>(
  prefix: string,
  first: Problems<Field>,
  aliases: Readonly<Record<string, Field>> = {},
) {
  const [problems, setProblems] = useState(first);
  const [attempt, setAttempt] = useState(0);
  return {
    problems,
    attempt,
    listed: Object.entries<string>(problems as Record<string, string>).map(([field, message]): FieldProblemLink => ({
      fieldId: `${prefix}-${field}`,
      message,
    })),
    setProblems,
    /** The person tried to send it. True where nothing prevents that. */
    report: (found: Problems<Field>) => {
      setProblems(found);
      setAttempt((before) => before + 1);
      return Object.keys(found).length === 0;
    },
    /** These fields were changed: what was said of them no longer holds. */
    clear: (changed: object) =>
      setProblems(
        (before) =>
          Object.fromEntries(
            Object.entries(before).filter(
              ([field]) => !Object.keys(changed).some((key) => (aliases[key] ?? key) === field),
            ),
          ) as Problems<Field>,
      ),
  };
}
