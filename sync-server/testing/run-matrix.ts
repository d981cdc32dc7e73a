import { sql as rawSql } from 'kysely';
import { calls } from '../../shared/api/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { examples } from '../api/examples.ts';
import { roles, type Answer, type Asked, type CallsHarness, type Role } from './calls-harness.ts';
import type { Expected, MatrixRow } from './permission-matrix.ts';

/** The id that the call is about, made anew. */
async function targetOf(harness: CallsHarness, about: MatrixRow['about']): Promise<string> {
  const closed = { status: 'closed', closedAt: new Date().toISOString() } as const;
  if (about === 'a profile') return harness.profile.id;
  if (about === 'an active job' || about === 'an answered job')
    return (await harness.makeJobOf({}, about === 'an answered job')).id;
  if (about === 'a closed job' || about === 'an answered closed job')
    return (await harness.makeJobOf(closed, about === 'an answered closed job')).id;
  return makeTestId();
}

/** A body that is right in every way, so that only permission decides. */
function rightBody(harness: CallsHarness, role: Role, call: MatrixRow['call']): unknown {
  if (calls[call].method === 'GET' || call === 'billing.portal') return undefined;
  const body = examples[call].body as Record<string, unknown>;
  const email = role === 'anonymous' || role === 'admin' ? body['email'] : harness.people[role].email;
  if (call === 'users.create') return { ...body, email };
  // One number has one live business, and one person at a time begins to pay under it.
  if (call === 'billing.checkout')
    return {
      ...body,
      email,
      tradieData: { ...(body['tradieData'] as object), nzbn: `94290${String(roles.indexOf(role)).padStart(8, '0')}` },
    };
  if (call === 'jobs.post') return { ...body, id: makeTestId() };
  return body;
}

async function setBilling(harness: CallsHarness, role: Role, isBegun: boolean): Promise<void> {
  if (isBegun) await harness.ask(role, 'billing.checkout', { body: rightBody(harness, role, 'billing.checkout') });
  else
    for (const table of ['billing_checkout', 'billing_customer', 'nzbn_claim'])
      await rawSql`delete from ${rawSql.table(table)}`.execute(harness.database.sql);
}

/** One cell of the matrix, on things of its own. */
export async function askCell(harness: CallsHarness, { call, about }: MatrixRow, role: Role): Promise<Answer> {
  const asked: Asked = {
    id: await targetOf(harness, about),
    body: rightBody(harness, role, call),
    ...(about === 'my jobs' ? { query: '?type=my-jobs' } : {}),
  };
  if (call === 'billing.portal') await setBilling(harness, role, about === 'a begun subscription');
  const answer = await harness.ask(role, call, asked);
  if (call === 'users.create')
    await rawSql`delete from users where id = ${harness.people.newcomer.id}`.execute(harness.database.sql);
  return answer;
}

/** The results of a whole row of the matrix. */
export async function askRow(
  harness: CallsHarness,
  row: MatrixRow,
): Promise<{ expect: MatrixRow['expect']; answers: ReadonlyMap<Role, Answer> }> {
  const answers = new Map<Role, Answer>();
  for (const role of roles) answers.set(role, await askCell(harness, row, role));
  const expect = Object.fromEntries(
    [...answers].map(([role, { status, code }]): [Role, Expected] => [
      role,
      code === undefined ? `${status}` : `${status} ${code}`,
    ]),
  );
  return { expect: expect as MatrixRow['expect'], answers };
}
