/**
 * The authentication client takes any error answer to a renewal for the end of the session. A server that is busy or
 * broken and a captive portal have not decided anything, so they are passed on as "try again" (503), which keeps the
 * session (C10).
 */
export function fetchForSession(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (response.ok || !url.includes('grant_type=refresh_token')) return response;
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    const isVerdict = isJson && response.status < 500 && response.status !== 429;
    return isVerdict ? response : new Response('{}', { status: 503, headers: { 'content-type': 'application/json' } });
  };
}
