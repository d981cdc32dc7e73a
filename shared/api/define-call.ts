import * as z from 'zod/mini';

/**
 * `public`: no token is read. `optional`: signed out too. `signed-in`: a verified token, a profile or not. `member`: a
 * token and a profile.
 */
export type CallAccess = 'public' | 'optional' | 'signed-in' | 'member';

type Shape = z.ZodMiniType<Record<string, unknown>>;
const nothing = z.object({});

export interface CallDefinition<Access extends CallAccess, Params, Query, Body, Answer, SentBody = Body> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path, with `:name` for a parameter. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly params: z.ZodMiniType<Params>;
  readonly query: z.ZodMiniType<Query>;
  readonly body: z.ZodMiniType<Body, SentBody>;
  /** The answer's fields: the server sends these and no others. */
  readonly answer: z.ZodMiniType<Answer>;
  readonly status: 200 | 201;
  /** The same for every caller: carries a strong ETag and may be answered 304. */
  readonly isPublic: boolean;
}

interface CallOptions<Access extends CallAccess, Params, Query, Body, Answer, SentBody> {
  access: Access;
  params?: z.ZodMiniType<Params>;
  query?: z.ZodMiniType<Query>;
  body?: z.ZodMiniType<Body, SentBody>;
  answer: z.ZodMiniType<Answer>;
  status?: 200 | 201;
  isPublic?: boolean;
}

type None = Record<string, never>;

/** One documented REST call: the route, the client's typed fetch and the OpenAPI document come from it. */
export function defineCall<
  const Access extends CallAccess,
  Answer,
  Params = None,
  Query = None,
  Body = None,
  SentBody = Body,
>(
  method: 'GET' | 'POST' | 'PATCH',
  path: `/api/${string}`,
  options: CallOptions<Access, Params, Query, Body, Answer, SentBody>,
): CallDefinition<Access, Params, Query, Body, Answer, SentBody> {
  const none = nothing as unknown as Shape;
  return {
    method,
    path,
    access: options.access,
    params: options.params ?? (none as unknown as z.ZodMiniType<Params>),
    query: options.query ?? (none as unknown as z.ZodMiniType<Query>),
    body: options.body ?? (none as unknown as z.ZodMiniType<Body, SentBody>),
    answer: options.answer,
    status: options.status ?? 200,
    isPublic: options.isPublic ?? false,
  };
}
