import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { root } from './installed.mjs';
import { copiesOf, dockerfileText, readDockerignore, stagesOf } from './read-dockerfile.ts';

/**
 * The rules of hadolint that can apply here, by its numbers (github.com/hadolint/hadolint, wiki): what is wrong with
 * this Dockerfile.
 */
function faultsOf(text: string): string[] {
  const errors: string[] = validate(text).map(({ message }) => String(message));
  const stages = stagesOf(text);
  const names = stages.flatMap(({ name }) => name ?? []);
  for (const { image, steps } of stages) {
    const [tagged = '', digest = ''] = image.split('@');
    if (!names.includes(image) && !/:[\w.-]*\d[\w.-]*$/.test(tagged))
      errors.push(`DL3006/DL3007: ${image} names no version`);
    if (!names.includes(image) && !/^sha256:[0-9a-f]{64}$/.test(digest))
      errors.push(`a tag can be moved: ${image} names no digest`);
    for (const step of steps) {
      const line = step.getArgumentsContent() ?? '';
      const keyword = step.getKeyword();
      if (keyword === 'WORKDIR' && !line.startsWith('/')) errors.push(`DL3000: WORKDIR ${line} is not absolute`);
      if (keyword === 'RUN' && /\bsudo\b/.test(line)) errors.push('DL3004: sudo');
      if (keyword === 'RUN' && /(^|&&)\s*cd /.test(line)) errors.push('DL3003: cd instead of WORKDIR');
      if (keyword === 'RUN' && /apt-get install/.test(line))
        errors.push('DL3008: packages without versions age unseen; the base image has what is needed');
      if (keyword === 'RUN' && /npm (i|install)\b/.test(line))
        errors.push('DL3016: npm install; npm ci takes what the lockfile says');
      if (keyword === 'ADD') errors.push('DL3020: COPY instead of ADD');
      if (['CMD', 'ENTRYPOINT'].includes(keyword) && !line.startsWith('['))
        errors.push(`DL3025: ${keyword} ${line} needs a shell, which swallows signals`);
      if (keyword === 'MAINTAINER') errors.push('DL4000: MAINTAINER');
      if (['ENV', 'ARG'].includes(keyword) && /(SECRET|TOKEN|PASSWORD|KEY)\w*=\S/i.test(line))
        errors.push(`a secret in ${keyword}`);
    }
    for (const { stage } of copiesOf({ image, name: undefined, steps })) {
      if (stage !== undefined && !names.includes(stage)) errors.push(`DL3022: COPY --from=${stage}, which is no stage`);
    }
  }
  const last = stages.at(-1)?.steps ?? [];
  const users = last.filter((step) => step.getKeyword() === 'USER').map((step) => step.getArgumentsContent());
  if (users.length === 0 || ['root', '0', null].includes(users.at(-1) ?? null))
    errors.push('DL3002: the last user is root');
  for (const once of ['CMD', 'HEALTHCHECK']) {
    if (last.filter((step) => step.getKeyword() === once).length !== 1)
      errors.push(`DL4003/DL3012: not exactly one ${once}`);
  }
  return errors;
}

describe('the Dockerfile', () => {
  it('has no error that hadolint would name', () => {
    expect(faultsOf(dockerfileText)).toEqual([]);
  });

  it.each([
    ['a tag that moves', (text: string) => text.replaceAll(/node:\S+/g, 'node:latest'), 'DL3006/DL3007'],
    ['no tag', (text: string) => text.replaceAll(/node:[^@\s]+/g, 'node'), 'DL3006/DL3007'],
    ['one stage without a digest', (text: string) => text.replace(/@sha256:[0-9a-f]+/, ''), 'names no digest'],
    ['a digest cut short', (text: string) => text.replace(/(@sha256:[0-9a-f]+)[0-9a-f]/, '$1'), 'names no digest'],
    ['root', (text: string) => text.replace('USER node', 'USER root'), 'DL3002'],
    [
      'a command in a shell',
      (text: string) => text.replace('CMD ["node", "sync-server/main.ts"]', 'CMD node sync-server/main.ts'),
      'DL3025',
    ],
    ['no question after health', (text: string) => text.replace(/^HEALTHCHECK.*$/m, ''), 'DL4003/DL3012'],
    ['another stage than there is', (text: string) => text.replace('--from=packages', '--from=elsewhere'), 'DL3022'],
    ['a secret', (text: string) => text.replace('ENV NODE_ENV', 'ENV ADMIN_TOKEN=abc NODE_ENV'), 'a secret in ENV'],
  ])('would be turned down with %s', (_, spoil, rule) => {
    expect(faultsOf(spoil(dockerfileText)).join('\n')).toContain(rule);
  });

  it('runs the Node that the tests run', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const images = new Set(stagesOf(dockerfileText).map(({ image }) => image));
    expect([...images]).toEqual([
      expect.stringMatching(new RegExp(`^node:${dependencies['node']}-bookworm-slim@sha256:`)),
    ]);
  });

  it('copies only what is there', () => {
    const sources = stagesOf(dockerfileText)
      .flatMap(copiesOf)
      .filter(({ stage }) => stage === undefined)
      .flatMap((copy) => copy.sources);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  });

  it('leaves secrets, data and tests out of what is sent to the builder', () => {
    const ignored = readDockerignore(readFileSync(join(root, '.dockerignore'), 'utf8'));
    expect(
      [
        '.env',
        '.env.local',
        '.data/db/x',
        '.git/config',
        'node_modules/x/y.js',
        'app/x.test.ts',
        'sync-server/testing/test-app.ts',
      ].filter((path) => !ignored(path)),
    ).toEqual([]);
    expect(
      [
        'shared/testing/random-source.ts',
        'sync-server/main.ts',
        'app/main.tsx',
        'e2e/tsconfig.json',
        'simulate/tsconfig.json',
      ].filter(ignored),
    ).toEqual([]);
  });
});
