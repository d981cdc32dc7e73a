import type Router from '@koa/router';
import type { Context } from 'koa';
import { html } from '../../../shared/lib/html.ts';
import { htmlPage } from '../../http/html-page.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { readBody } from '../../http/read-body.ts';
import { adminCookie, type AdminGuard } from './admin-token.ts';

interface SignInParts {
  guard: AdminGuard;
  /** The page that the token opens, and below which the cookie counts. */
  home: string;
  /** What the page is called. */
  title: string;
  publicUrl: string | undefined;
}

/** The page on which an operator shows the token. `isWrong`: the one before was not it. */
function signInPage({ home, title }: SignInParts, isWrong: boolean): string {
  const wrong = isWrong ? html`<p class="error" id="wrong" role="alert">That is not the admin token.</p>` : undefined;
  const said = isWrong ? html`aria-invalid="true" aria-describedby="wrong"` : undefined;
  return htmlPage(
    title,
    html`<h1>${title}</h1>
      <p>This page is for whoever runs the server.</p>
      <form method="post" action="${home}/sign-in">
        ${wrong}
        <label for="token">Admin token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required ${said} />
        <button>Sign in</button>
      </form>`,
    { styles: ['/health/status.css'] },
  );
}

function show(ctx: Context, html: string): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = html;
}

/**
 * Lets a browser in at an operator's page: `POST <home>/sign-in` (form, `token`) -> 303 with a cookie (strict, for
 * eight hours, for
 * `home` alone), or 401 with the form; `POST <home>/sign-out` -> 303.
 *
 * @returns answers with the form, 401, and false where the request may not look; true where it may.
 */
export function operatorSignIn(router: Router, parts: SignInParts): (ctx: Context) => boolean {
  const { guard, home, publicUrl } = parts;

  function setCookie(ctx: Context, value: string): void {
    const secure = publicUrl?.startsWith('https:') === true ? '; Secure' : '';
    ctx.set('Cache-Control', 'no-store');
    ctx.set(
      'Set-Cookie',
      `${adminCookie}=${value}; Path=${home}; HttpOnly; SameSite=Strict${secure}${value === '' ? '; Max-Age=0' : '; Max-Age=28800'}`,
    );
  }

  router.post(`${home}/sign-in`, async (ctx) => {
    const given = new URLSearchParams((await readBody(ctx, { limit: 4_096 })).toString('utf8')).get('token') ?? '';
    if (!guard.hasToken || !guard.isToken(given.trim())) {
      ctx.status = 401;
      return show(ctx, signInPage(parts, true));
    }
    setCookie(ctx, guard.makeCookie());
    ctx.status = 303;
    ctx.set('Location', home);
  });

  router.post(`${home}/sign-out`, (ctx) => {
    setCookie(ctx, '');
    ctx.status = 303;
    ctx.set('Location', home);
  });

  return (ctx) => {
    try {
      guard.check(ctx, 'look');
      return true;
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status !== 401) throw error;
      ctx.status = 401;
      show(ctx, signInPage(parts, false));
      return false;
    }
  };
}
