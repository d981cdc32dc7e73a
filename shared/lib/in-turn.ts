/**
 * The answers to questions that were asked together and are answered in their order. Where several fail, the first one
 * counts: the others may fail because of it.
 */
export async function inTurn<Answers extends readonly unknown[]>(
  ...asked: { readonly [At in keyof Answers]: Promise<Answers[At]> }
): Promise<Answers> {
  const all = asked as readonly Promise<unknown>[];
  for (const one of all) one.catch(() => undefined);
  const answers: unknown[] = [];
  for (const one of all) answers.push(await one);
  return answers as unknown as Answers;
}
