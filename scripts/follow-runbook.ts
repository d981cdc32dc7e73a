import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { must } from '../shared/lib/must.ts';
import { root, toolEnv } from './installed.mjs';
import { commandsUnder, type Heading, type Page } from './runbook-commands.ts';

export interface Surroundings {
  env: Record<string, string>;
  /** The value for each `<word>` of the page. */
  places: Record<string, string>;
}

/**
 * Runs the commands under a heading of a page as written, in the shell, one after the other, to the first error.
 *
 * @returns what they printed.
 * @throws Error with what they printed, where one of them failed.
 */
export async function followRunbook<P extends Page>(
  page: P,
  heading: Heading<P>,
  { env, places }: Surroundings,
): Promise<string> {
  let printed = '';
  for (const line of commandsUnder(page, heading)) {
    try {
      printed += (
        await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', filledIn(line, places)], {
          cwd: root,
          env: { ...toolEnv(), ...env },
        })
      ).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${printed}${stdout}${stderr}`, { cause: error });
    }
  }
  return printed;
}

/** A statement or a command with the value of each `<word>`, quoted as the shell and SQL both read it. */
export function filledIn(line: string, places: Record<string, string>): string {
  return line.replace(/'?<(\w+)>'?/g, (_, name: string) => `'${must(places[name], name)}'`);
}
