import * as z from 'zod/mini';
import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import { problemSchema } from '../../shared/protocol/problem.ts';

type JsonSchema = Record<string, unknown>;

/** What each kind of call may answer when the answer is no; the body is always a Problem. */
const refusals = {
  anyone: [404, 429],
  'signed-in': [401, 403, 404],
  member: [401, 403, 404, 409, 503],
} as const;

const words: Record<number, string> = {
  400: 'Something in the request is not valid; `details.fields` names each field.',
  401: 'No token, or one that does not count.',
  403: 'Known, but not yours to do.',
  404: 'Not there, or not yours to know of.',
  409: 'It met something that happened meanwhile.',
  429: 'Too many; `Retry-After` says when to come back.',
  503: 'Not now; nothing was lost. `Retry-After` says when.',
};

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function parametersOf(name: CallName): JsonSchema[] {
  const at = (place: 'path' | 'query', schema: z.ZodMiniType) => {
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
    return Object.entries(properties).map(([field, value]) => ({ name: field, in: place, required: place === 'path' || required.includes(field), schema: value }));
  };
  return [...at('path', calls[name].params), ...at('query', calls[name].query)];
}

function operationOf(name: CallName): JsonSchema {
  const call = calls[name];
  const isWrite = call.method !== 'GET';
  const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const saysNo = [...(isWrite ? [400] : []), ...refusals[call.who]];
  return {
    operationId: name,
    summary: call.summary,
    security: call.who === 'anyone' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: parametersOf(name),
    ...(isWrite ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } } } : {}),
    responses: {
      [call.status]: { description: 'Done.', content: { 'application/json': { schema: schemaOf(call.answer, 'output') } } },
      ...(call.isPublic ? { 304: { description: 'As you have it.' } } : {}),
      ...Object.fromEntries(saysNo.map((status) => [status, { description: words[status], content: problem }])),
    },
  };
}

/** The documented calls as an OpenAPI 3.1 document, generated from `shared/api`, so that it cannot say anything else. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const name of callNames) {
    const path = calls[name].path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[calls[name].method.toLowerCase()] = operationOf(name);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dwang',
      version: '1',
      description: 'A New Zealand marketplace for home jobs. Writes are the same mutations as the app’s own: whatever is written here reaches every device.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: schemaOf(problemSchema, 'output') },
    },
  };
}
