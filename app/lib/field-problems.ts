import { mutations, type MutationName } from '../../shared/mutations/index.ts';

/** Messages under the names that the schema gives its fields. */
export type Problems<Field extends string> = Readonly<Partial<Record<Field, string>>>;

/** The first problem of each field, by the mutation's own schema. */
export function problemsIn(name: MutationName, args: unknown): Problems<string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of mutations[name].args.safeParse(args).error?.issues ?? [])
    problems[String(path[0] === 'set' ? path[1] : path[0])] ??= message;
  return problems;
}
