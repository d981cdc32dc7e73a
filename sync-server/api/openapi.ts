import * as z from 'zod/mini';
import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { examples } from './examples.ts';
import { rejections } from './rejections.ts';
import { summaries } from './summaries.ts';

type JsonSchema = Record<string, unknown>;

export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

/** Does the call take anything in its body? */
export function hasBody(name: CallName): boolean {
  return (
    calls[name].method !== 'GET' &&
    Object.keys((schemaOf(calls[name].body, 'input')['properties'] ?? {}) as object).length > 0
  );
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200 },
  description: 'Names the request: sent again with the same key, after an answer that was lost, it is not done again.',
};

function parametersOf(name: CallName): JsonSchema[] {
  const at = (place: 'path' | 'query', schema: z.ZodMiniType) => {
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
    };
    return Object.entries(properties).map(([field, value]) => ({
      name: field,
      in: place,
      required: place === 'path' || required.includes(field),
      schema: value,
    }));
  };
  const key = calls[name].method === 'GET' ? [] : [idempotencyKey];
  return [...at('path', calls[name].params), ...at('query', calls[name].query), ...key];
}

const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } };

function responsesOf(name: CallName): JsonSchema {
  const call = calls[name];
  const problem = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const saysNo = Object.entries(rejections[name]).map(([status, description]) => {
    const headers = status === '429' || status === '503' ? { headers: retryAfter } : {};
    return [status, { description, ...headers, content: problem }] as const;
  });
  const etag = call.isPublic
    ? { headers: { ETag: { description: 'To ask again with `If-None-Match`.', schema: { type: 'string' } } } }
    : {};
  return {
    [call.status]: {
      description: 'Done.',
      ...etag,
      content: { 'application/json': { schema: schemaOf(call.answer, 'output'), example: examples[name].answer } },
    },
    ...(call.isPublic ? { 304: { description: 'As you have it.' } } : {}),
    ...Object.fromEntries(saysNo),
  };
}

function operationOf(name: CallName): JsonSchema {
  const call = calls[name];
  const { body } = examples[name];
  return {
    operationId: name,
    summary: summaries[name],
    tags: [name.split('.')[0]],
    security: call.access === 'public' ? [] : call.access === 'optional' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: parametersOf(name),
    ...(hasBody(name)
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: schemaOf(call.body, 'input'), ...(body ? { example: body } : {}) },
            },
          },
        }
      : {}),
    responses: responsesOf(name),
  };
}

/**
 * The documented calls as an OpenAPI 3.1 document, generated from `shared/api`, so that it cannot say anything else.
 */
export function createApiDocument(): JsonSchema {
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
      description:
        'A New Zealand marketplace for home jobs. Writes are the same mutations as the app’s own: whatever is written here reaches every device. A server that fails answers 500 `internal` with the request’s id.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The session’s access token.' },
      },
      schemas: {
        Problem: {
          ...schemaOf(problemSchema, 'output'),
          description: 'The one error body. An array of messages where several fields are wrong.',
        },
      },
    },
  };
}
