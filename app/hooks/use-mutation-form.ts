import { useState } from 'react';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import { problemsIn, type Problems } from '../lib/field-problems.ts';
import { useDirtyForm } from './use-dirty-form.ts';
import { useFocusKept } from './use-focus-kept.ts';
import { useFieldProblems } from './use-field-problems.ts';
import type { Kept } from './use-mutation.ts';

type FieldOf<Name extends MutationName> = Extract<
  ArgsOf<Name> extends { readonly set: infer Set } ? keyof Set : keyof ArgsOf<Name>,
  string
>;

interface MutationFormOptions<Name extends MutationName> {
  readonly draft: { readonly keep: () => Promise<unknown>; readonly drop: () => Promise<unknown> };
  readonly prefix: string;
  readonly aliases: Readonly<Record<string, FieldOf<Name>>>;
  /** The earlier attempt that the form was opened from. */
  readonly rejected: RejectedEntry | undefined;
  /** The person would lose something by a reload. */
  readonly isDirty: boolean;
  /** The page opens the form again from a rejection: this one's draft goes. */
  readonly reopens?: boolean;
}

function problemsOf(rejected: RejectedEntry | undefined): Problems<string> {
  return rejected === undefined || rejected.code === 'stale' ? {} : (rejected.fields ?? {});
}

/**
 * A form over a mutation's schema: its problems, those of a rejected attempt too, and its way from writing to sent,
 * with the draft kept until then.
 */
export function useMutationForm<Name extends MutationName>(
  name: Name,
  { draft, prefix, aliases, rejected, isDirty, reopens = false }: MutationFormOptions<Name>,
) {
  const { setProblems, report, clear, ...shown } = useFieldProblems<FieldOf<Name>>(
    prefix,
    problemsOf(rejected) as Problems<FieldOf<Name>>,
    aliases,
  );
  const [phase, setPhase] = useState<'writing' | 'sending' | 'done'>('writing');
  useDirtyForm(phase === 'writing' && isDirty);
  // The button that sent it is disabled then.
  useFocusKept(phase === 'done' ? 0 : 1);
  return {
    ...shown,
    phase,
    /** Notes each change of fields. False while the form is being sent: the change is not to be made. */
    touch: (changes: object) => {
      if (phase === 'writing') clear(changes);
      return phase === 'writing';
    },
    /** The problems of these args, which are shown; `more` wins. */
    check: (args: unknown, more?: Problems<FieldOf<Name>>) => {
      const found = { ...problemsIn(name, args), ...more } as Problems<FieldOf<Name>>;
      return { found, isValid: report(found) };
    },
    /** The draft goes once the mutation is queued, and stays with what was typed where it is not. */
    send: async (queue: () => Promise<Kept>): Promise<Kept> => {
      setPhase('sending');
      await draft.keep();
      const kept = await queue();
      if (kept.kind === 'accepted' || kept.kind === 'saved' || (kept.kind === 'rejected' && reopens)) {
        if (kept.kind !== 'rejected') setPhase('done');
        await draft.drop();
        return kept;
      }
      // Queueing may have deleted the draft from the device, so it is written again.
      await draft.keep();
      if (kept.kind === 'rejected') setProblems(problemsOf(kept.rejected) as Problems<FieldOf<Name>>);
      setPhase('writing');
      return kept;
    },
  };
}
