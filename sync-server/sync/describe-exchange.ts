import { isUuid } from '../../shared/lib/uuid.ts';
import type { ExchangeAnswer, ExchangeRequest } from '../../shared/protocol/exchange.ts';

/** Any name of ours fits; what is longer is not one. */
const nameLike = /^[a-z]{1,20}\.[a-z]{1,20}$/;

/**
 * An exchange in a log line: `mutations` as `name uid row what-became-of-it`, so that one uid can be followed from a
 * phone's log through this line to its row. Ids, names and codes; no argument but the row's id, no message.
 */
export function describeExchange(
  request: ExchangeRequest,
  answer: ExchangeAnswer | undefined,
): Record<string, unknown> {
  const outcomes = new Map(
    (answer?.kind === 'delta' ? answer.outcomes : []).map(({ uid, status, code }) => [
      uid,
      code === undefined ? status : `${status}:${code}`,
    ]),
  );
  if (answer?.kind === 'delta')
    for (const { uid, code } of answer.restoring ?? []) outcomes.set(uid, `restoring:${code}`);
  const mutations = request.mutations.map(({ uid, name, args }) =>
    [nameLike.test(name) ? name : 'unnamed', uid, rowOf(args), outcomes.get(uid) ?? 'undecided'].join(' '),
  );
  return {
    protocol: `${request.protocol}.${request.schema}`,
    answer:
      answer === undefined
        ? 'none'
        : answer.kind === 'reset'
          ? `reset:${answer.reason}`
          : answer.more
            ? 'page'
            : 'delta',
    ...(mutations.length > 0 ? { mutations } : {}),
    ...(request.awaiting.length > 0
      ? { awaiting: request.awaiting.map((uid) => `${uid} ${outcomes.get(uid) ?? 'undecided'}`) }
      : {}),
  };
}

function rowOf(args: unknown): string {
  const id = typeof args === 'object' && args !== null && 'id' in args ? args.id : undefined;
  return typeof id === 'string' && isUuid(id) ? id : '-';
}
