/** As much of the provider as the client's session needs, with a switch for each failure. */
export function createFakeAuthServer() {
  const calls: string[] = [];
  let issued = 0;
  let refreshAnswer: () => Response | Promise<Response> = () => Response.json(session());
  let answerSignUp: () => Response = () => Response.json(session());

  const user = (id: string) => ({
    id,
    aud: 'authenticated',
    email: `${id.slice(0, 4)}@example.nz`,
    app_metadata: {},
    user_metadata: {},
    created_at: '2026-01-01T00:00:00Z',
  });
  const userOf = (authorization: string) =>
    user((JSON.parse(atob(authorization.split('.')[1] ?? '')) as { sub: string }).sub);

  /** The hash of a mailed link: its token names its person, as a real one does. */
  function mailedHash(userId: string, type: 'signup' | 'recovery'): string {
    const payload = btoa(
      JSON.stringify({ sub: userId, email: user(userId).email, exp: Math.floor(Date.now() / 1_000) + 3_600 }),
    ).replaceAll('=', '');
    const head = btoa(JSON.stringify({ alg: 'ES256' })).replaceAll('=', '');
    return `#access_token=${head}.${payload}.c2lnbmVk&expires_in=3600&refresh_token=mailed&token_type=bearer&type=${type}`;
  }

  function session(userId = 'a1a1a1a1-0000-4000-8000-000000000001') {
    issued += 1;
    // The server's clock is a year behind this device's: no result may depend on it.
    const expires_at = Math.floor(Date.UTC(2025, 10, 21) / 1_000) + 3_600;
    return {
      access_token: `token-${issued}`,
      refresh_token: `refresh-${issued}`,
      token_type: 'bearer',
      expires_in: 3_600,
      expires_at,
      user: user(userId),
    };
  }

  const problem = (status: number, code: string, message: string) =>
    Response.json({ code, message }, { status, headers: { 'x-supabase-api-version': '2024-01-01' } });

  return {
    calls,
    session,
    mailedHash,
    problem,
    onRefresh: (answer: typeof refreshAnswer) => {
      refreshAnswer = answer;
    },
    onSignUp: (answer: typeof answerSignUp) => {
      answerSignUp = answer;
    },
    fetch: (async (input: RequestInfo | URL, init?: RequestInit) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      const call = `${url.pathname.replace('/auth/v1', '')}${url.search}`;
      calls.push(call);
      if (call.includes('grant_type=refresh_token')) return refreshAnswer();
      if (call.startsWith('/signup')) return answerSignUp();
      if (call === '/user') return Response.json(userOf(new Headers(init?.headers).get('authorization') ?? ''));
      if (call.startsWith('/logout')) return new Response(null, { status: 204 });
      const { email, password } = JSON.parse(String(init?.body)) as { email: string; password: string };
      if (password !== 'right') return problem(400, 'invalid_credentials', 'Invalid login credentials');
      return Response.json(session(email === 'other@example.nz' ? 'b2b2b2b2-0000-4000-8000-000000000002' : undefined));
    }) as typeof fetch,
  };
}
