import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { mutationNames, mutations } from '../mutations/index.ts';
import { deltaSchema, exchangeRequestSchema, resetSchema } from './exchange.ts';
import { carriedChangeSchema } from './poke.ts';
import { manifestSchema } from './segment.ts';
import { mutationsVersion, protocolVersion, schemaVersion } from './version.ts';

/*
 * The wire cannot change unnoticed. When this fails: is the change one that phones of the last 180 days survive (S6)?
 * If rows gained a column, raise schemaVersion; if the exchange's shape changed, raise protocolVersion;
 * if a mutation or an arg is new, raise mutationsVersion; then set the new hash.
 */
const agreed = { protocolVersion: 2, schemaVersion: 2, mutationsVersion: 3, hash: 'e1ce3d3876a4b01b' };

test('the shapes on the wire are the agreed ones', () => {
  const shape = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
  const wire = {
    request: shape(exchangeRequestSchema),
    delta: shape(deltaSchema),
    reset: shape(resetSchema),
    manifest: shape(manifestSchema),
    change: shape(carriedChangeSchema),
    args: Object.fromEntries(mutationNames.map((name) => [name, shape(mutations[name].args)])),
  };
  const hash = createHash('sha256').update(JSON.stringify(wire)).digest('hex').slice(0, 16);
  expect({ protocolVersion, schemaVersion, mutationsVersion, hash }).toEqual(agreed);
});
