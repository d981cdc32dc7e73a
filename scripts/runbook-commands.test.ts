import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { must } from '../shared/lib/must.ts';
import { root } from './installed.mjs';
import { commandsIn, commandsNamedIn, commandsUnder, followed, textOf } from './runbook-commands.ts';

/** The operators' pages. */
const pages = [
  'README.md',
  'SECURITY.md',
  'docs/operate.md',
  'docs/backup.md',
  'docs/deploy/README.md',
  'docs/deploy/container.md',
  'docs/deploy/payments.md',
  'docs/deploy/supabase.md',
];
/** These name commands for developers. */
const others = [
  'ARCHITECTURE.md',
  'docs/correctness.md',
  'docs/old-phones.md',
  'docs/performance.md',
  'docs/performance-server.md',
  'docs/scaling.md',
  'docs/security.md',
  'bench/README.md',
];

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Why a command is followed by no test, and what sees to it instead. */
const notFollowed: Record<string, string> = {
  'npm start':
    "a browser's tests start the server that it starts; scripts/built.test.ts and installed.test.ts see what it does before",
  'npm test': 'it is what runs this',
  'npm run test:long': 'the same, with more of each',
  'apt-get install chromium chromium-headless-shell': "the machine's own",
  'curl -s localhost:8080/health/ready': 'asked by every test that starts a server',
  'npm run ops -- reconcile': 'asks Stripe; against a double of it in sync-server/billing',
  'npx web-push generate-vapid-keys':
    "the library's own; sync-server/push/send-push.test.ts makes its pairs with the same",
  'docker build --tag dwang .': 'needs docker; scripts/image.pg.test.ts runs what it would hold',
  'docker run --name dwang --detach --restart unless-stopped --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --env-file dwang.env --volume dwang-data:/data --publish 127.0.0.1:8080:8080 --stop-timeout 30 dwang':
    'needs docker',
  "docker buildx imagetools inspect node:24.21.0-bookworm-slim --format '{{.Manifest.Digest}}'":
    'needs docker and a registry',
  'docker run --rm --env-file dwang.env dwang node scripts/migrate.ts': 'needs docker; followed as npm run migrate',
  'docker exec dwang node scripts/ops.ts doctor': 'needs docker; followed as npm run ops -- doctor',
};

const namedIn = (page: string) => [
  ...commandsIn(textOf(page), 'sh'),
  ...commandsIn(textOf(page), 'sql'),
  ...commandsNamedIn(textOf(page)),
];
const followedCommands = Object.entries(followed).flatMap(([page, headings]) =>
  headings.flatMap((heading) => [...commandsUnder(page, heading), ...commandsUnder(page, heading, 'sql')]),
);

/** Followed word for word, or a bare `npm run name` or `npm run ops -- name` that is followed with more words. */
const isFollowed = (command: string) =>
  followedCommands.some(
    (one) =>
      one === command ||
      one.startsWith(`${command} -- `) ||
      (command.startsWith('npm run ops -- ') && one.startsWith(`${command} `)),
  );
const forOperators = new Set(followedCommands.flatMap((command) => /^npm run (\S+)/.exec(command)?.[1] ?? []));
/** It says how it is called (commands.pg.test.ts). */
const isForDevelopers = (command: string) =>
  /^npm run [\w-]+$/.test(command) &&
  scripts[command.slice('npm run '.length)] !== undefined &&
  !forOperators.has(command.slice('npm run '.length));

describe('the commands that the pages for operators name', () => {
  test('are followed by a test, or there is a reason why not', () => {
    const left = [...new Set(pages.flatMap(namedIn))].filter(
      (command) => !isFollowed(command) && notFollowed[command] === undefined && !isForDevelopers(command),
    );
    expect(left).toEqual([]);
  });

  test('have no reason that none needs any more', () => {
    const named = new Set(pages.flatMap(namedIn));
    expect(Object.keys(notFollowed).filter((command) => !named.has(command) || isFollowed(command))).toEqual([]);
  });

  test('are followed under every heading that is said to be', () => {
    const tests = ['scripts/runbooks.pg.test.ts', 'scripts/operating.pg.test.ts'].map(textOf).join('\n');
    const headings = Object.values(followed).flat();
    expect(headings.filter((heading) => !tests.includes(`'${heading}'`))).toEqual([]);
    expect(
      Object.entries(followed).flatMap(([page, of]) =>
        of.filter((heading) => commandsUnder(page, heading).length === 0),
      ),
    ).toEqual([]);
  });

  test('in docker are files of ours with the settings of the image', () => {
    const inside = Object.keys(notFollowed).flatMap(
      (command) => /^docker (?:run|exec) .*\bdwang node (.+)$/.exec(command)?.[1] ?? [],
    );
    expect(inside).toHaveLength(2);
    for (const [file = '', ...words] of inside.map((command) => command.split(' '))) {
      expect(existsSync(join(root, file))).toBe(true);
      const name = Object.keys(scripts).find((one) => scripts[one] === `node ${file}`);
      expect(followedCommands).toContain([`npm run ${name}`, ...words].join(' -- '));
    }
    const run = must(
      commandsIn(textOf('docs/deploy/container.md'), 'sh').find((command) => command.startsWith('docker run')),
      'docker run',
    );
    const dockerfile = textOf('Dockerfile');
    expect(dockerfile).toContain(`PORT=${must(/--publish \S+:(\d+)/.exec(run)?.[1], 'port')} `);
    expect(dockerfile).toContain(`VOLUME ${must(/--volume \w[\w-]*:(\S+)/.exec(run)?.[1], 'volume')}\n`);
  });
});

describe('every npm command that a page names', () => {
  test('is one of package.json, with words that it knows', () => {
    const wrong: string[] = [];
    let read = 0;
    for (const page of [...pages, ...others]) {
      for (const [command, name = '', words = ''] of textOf(page).matchAll(/npm run ([\w-]+)([^`\n]*)/g)) {
        read += 1;
        const operation = name === 'ops' ? / -- (\w+)/.exec(words)?.[1] : undefined;
        const file =
          operation === undefined
            ? /^node (\S+)/.exec(scripts[name] ?? '')?.[1]?.replace('scripts/bench.mjs', 'bench/main.ts')
            : `scripts/ops/${operation}.ts`;
        if (scripts[name] === undefined || (file !== undefined && !existsSync(join(root, file)))) {
          wrong.push(`${page}: ${command}`);
          continue;
        }
        const source = file === undefined ? '' : textOf(file);
        for (const [, flag = ''] of words.replace(/#.*$/, '').matchAll(/ --([a-z][\w-]*)/g)) {
          if (flag !== 'help' && !new RegExp(`(^|\\W)'?${flag}'?: (\\{ type|number)`, 'm').test(source))
            wrong.push(`${page}: ${command}: --${flag}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(40);
  });
});
