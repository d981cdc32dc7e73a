/*
 * `npm run ops -- retention --dry-run`: what is past its retention, and how much of it; without `--dry-run` it is
 * deleted. The server does it four times a day by itself.
 */
import { readArguments } from '../read-arguments.mjs';
import { runCommand } from '../run-command.ts';

export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(
    'npm run ops -- retention [--dry-run]',
    { 'dry-run': { type: 'boolean', default: false } },
    { args },
  );
  const jobs = (await runCommand('retention.run', { dryRun: values['dry-run'] })) as {
    job: string;
    says: string;
    count: number;
    state: string;
  }[];
  for (const { job, says, count, state } of jobs)
    console.log(
      `${String(count).padStart(7)}  ${job.padEnd(14)} ${says}${state === 'busy' ? ' (another server is at it)' : state === 'failed' ? ' (FAILED: see the log)' : ''}`,
    );
  console.log(values['dry-run'] ? 'Nothing was forgotten: this was a dry run.' : 'Forgotten.');
  process.exitCode = jobs.some(({ state }) => state === 'failed') ? 1 : 0;
}
