import { sql as rawSql } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { NewEffect } from './effect.ts';

/** Where a recorded effect says "there is something to do", at COMMIT. */
export const effectsChannel = 'effects';

interface Applied {
  userId: string;
  now: Date;
  /** Of the mutations of this transaction, those that were applied and are written. */
  mutations: readonly { name: string; args: unknown }[];
}

/**
 * Records the effects of these mutations, in their own transaction: with them or not at all. A mutation that was applied once more, and
 * changed nothing, is followed by nothing.
 */
export async function recordEffects(sql: Sql, { userId, now, mutations }: Applied): Promise<void> {
  const expressed = mutations
    .filter(({ name }) => name === 'interest.express')
    .map(({ args }) => (args as { id: string }).id);
  if (expressed.length === 0) return;
  // One statement, however many: an exchange may bring 500.
  await rawSql`with added as (
      insert into effect (user_id, name, key, payload, at, due_at)
      select ${userId}::uuid, 'interest.mail', 'interest.mail:' || id, jsonb_build_object('interestId', id), ${now}::timestamptz, ${now}::timestamptz
      from interests where id = any(${expressed}::uuid[]) and user_id = ${userId}::uuid and created_at = ${now}::timestamptz
      on conflict (key) do nothing returning id)
    select pg_notify(${effectsChannel}, '') from added limit 1`.execute(sql);
}

/** An effect of what is not a mutation. One whose key was there before is left out. */
export async function addEffect(sql: Sql, now: Date, { name, key, payload }: NewEffect): Promise<void> {
  await rawSql`with added as (
      insert into effect (name, key, payload, at, due_at) values (${name}, ${key}, ${JSON.stringify(payload)}::jsonb, ${now}, ${now})
      on conflict (key) do nothing returning id)
    select pg_notify(${effectsChannel}, '') from added`.execute(sql);
}
