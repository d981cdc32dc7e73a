import { callNames, calls, type CallName } from '../../shared/api/index.ts';
import * as z from 'zod/mini';

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const whoMay = { anyone: 'Anyone', 'signed-in': 'Anyone signed in', member: 'Signed in, with a profile' } as const;

function shape(title: string, schema: z.ZodMiniType, io: 'input' | 'output'): string {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  if (Object.keys((json as { properties?: object }).properties ?? { list: 1 }).length === 0) return '';
  return `<details><summary>${title}</summary><pre>${escape(JSON.stringify(json, undefined, 2))}</pre></details>`;
}

function section(name: CallName): string {
  const call = calls[name];
  return `<section aria-labelledby="${name}"><h2 id="${name}"><code>${call.method} ${escape(call.path)}</code></h2>
<p>${escape(call.summary)}</p><p><strong>Who:</strong> ${whoMay[call.who]}.</p>
${shape('Query', call.query, 'input')}${call.method === 'GET' ? '' : shape('Body', call.body, 'input')}${shape(`Answer (${call.status})`, call.answer, 'output')}</section>`;
}

/** The calls as a page to read: no script and no style of its own, which the content policy would refuse. */
export function docsPage(): string {
  return `<!doctype html><html lang="en-NZ"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Calls - Dwang</title></head><body><main>
<h1>Dwang: the calls</h1>
<p>Also as <a href="/api/openapi.json">OpenAPI 3.1</a>. Signed-in calls carry <code>Authorization: Bearer</code> and the session’s access token.
Every refusal has the body <code>{ error, code, details? }</code>. An <code>Idempotency-Key</code> (a UUID) makes a repeated write harmless.</p>
${callNames.map(section).join('\n')}
</main></body></html>`;
}
