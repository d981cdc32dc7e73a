import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import type * as z from 'zod/mini';
import { html, type Html } from '../../shared/lib/html.ts';
import { htmlPage } from '../http/html-page.ts';
import { examples } from './examples.ts';
import { hasBody, schemaOf } from './openapi.ts';
import { rejections } from './rejections.ts';
import { summaries } from './summaries.ts';

const whoMay = {
  public: 'Everybody; no token is looked at',
  optional: 'Anyone, signed out too',
  'signed-in': 'Anyone signed in',
  member: 'Signed in, with a profile',
} as const;

/** What stands between backquotes, set as code. */
const code = (text: string) =>
  text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
const json = (label: string, value: unknown) =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${JSON.stringify(value, undefined, 2)}</code></pre>`;

function shape(title: string, schema: z.ZodMiniType, io: 'input' | 'output', example: unknown): Html {
  const shown =
    example === undefined
      ? undefined
      : html`<p>Example</p>
          ${json(`${title}: example`, example)}`;
  return html`<details>
    <summary>${title}</summary>
    ${shown}
    <p>Schema</p>
    ${json(`${title}: schema`, schemaOf(schema, io))}
  </details>`;
}

function section(name: CallName): Html {
  const call = calls[name];
  const no = Object.entries(rejections[name]).map(
    ([status, when]) =>
      html`<dt>${status}</dt>
        <dd>${code(when)}</dd>`,
  );
  const hasQuery = Object.keys((schemaOf(call.query, 'input')['properties'] ?? {}) as object).length > 0;
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}"><span class="method">${call.method}</span> <code>${call.path}</code></h2>
    <p>${code(summaries[name])}</p>
    <p><strong>Who:</strong> ${whoMay[call.access]}.</p>
    ${hasQuery ? shape('Query', call.query, 'input', undefined) : undefined}
    ${hasBody(name) ? shape('Body', call.body, 'input', examples[name].body) : undefined}
    ${shape(`Answer ${call.status}`, call.answer, 'output', examples[name].answer)}
    ${
      no.length > 0
        ? html`<details>
            <summary>When the answer is no</summary>
            <dl>${no}</dl>
          </details>`
        : undefined
    }
  </section>`;
}

/** The calls as a page to read, without a script. */
export function docsPage(): string {
  const list = callNames.map(
    (name) =>
      html`<li>
        <a href="#${name}"><code>${calls[name].method} ${calls[name].path}</code></a>
      </li>`,
  );
  return htmlPage(
    'The calls',
    html`<h1>Dwang: the calls</h1>
      <p>
        Also as <a href="/api/openapi.json">OpenAPI 3.1</a>. Signed-in calls carry
        <code>Authorization: Bearer</code> and the session’s access token. Every refusal has the body
        <code>{ error, code, details? }</code>. An <code>Idempotency-Key</code> makes a repeated write harmless.
        Instants are ISO 8601 in UTC; money is New Zealand dollars.
      </p>
      <nav aria-label="Calls">
        <ul>
          ${list}
        </ul>
      </nav>
      ${callNames.map(section)}`,
  );
}
