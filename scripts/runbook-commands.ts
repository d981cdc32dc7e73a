import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './installed.mjs';

/**
 * What tests follow, command by command, twice in a row (scripts/runbooks.pg.test.ts, scripts/operating.pg.test.ts):
 * the headings of the operators' pages. A command under none of them has a reason in scripts/runbook-commands.test.ts.
 */
export const followed = {
  'docs/backup.md': [
    'Back up',
    'Restore',
    'What is safe, and what came back',
    'Restored by other means',
    'A copy beside the original',
  ],
  'docs/deploy/README.md': ['PostgreSQL'],
  'docs/operate.md': [
    'Where to look',
    'A dead letter',
    'A dead letter that nothing can come of',
    'A person says it does not sync',
    'Follow one change from the phone to its row',
    'A person asks what we hold about them (Privacy Act 2020, principle 6)',
    'What is forgotten, and when',
  ],
} as const;

export type Page = keyof typeof followed;
export type Heading<P extends Page> = (typeof followed)[P][number];

export const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/**
 * The lines of the blocks of that language under a heading of a page, up to the next heading, without their comments,
 * in order.
 */
export function commandsUnder(page: string, heading: string, language: 'sh' | 'sql' = 'sh'): string[] {
  const section = textOf(page)
    .split(/^#{2,4} /m)
    .find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no heading “${heading}”`);
  return commandsIn(section, language);
}

/** The same of a whole text. A line that ends with a backslash goes on in the next. */
export function commandsIn(text: string, language: 'sh' | 'sql'): string[] {
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, of]) => of === language);
  const lines = blocks.flatMap(([, , block = '']) => block.replace(/\\\n\s*/g, '').split('\n'));
  const comment = { sh: /(^|\s+)#.*$/, sql: /(^|\s+)-- .*$/ }[language];
  return lines.map((line) => line.replace(comment, '').trim()).filter((line) => line !== '');
}

const programs =
  /^(?:npm|npx|node|docker|curl|psql|pg_dump|pg_restore|openssl|grep|git|apt-get|cp|cat|select|update|delete)\b/;

/** Every command that a text names between its lines, as `code`. */
export function commandsNamedIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => programs.test(code) && code.includes(' '));
}
