import { spawn } from 'node:child_process';
import pLimit from 'p-limit';
import { root, toolEnv } from './installed.mjs';

export interface Part {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface PartResult {
  name: string;
  /** 0 where all is well. */
  code: number;
  seconds: number;
  output: string;
}

/** Runs one command of the repository. `show` passes its output through as it comes; else it is returned. */
export function runPart({ name, command, args, env }: Part, show = false): Promise<PartResult> {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...toolEnv(), ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    const done = (code: number, more = '') =>
      resolve({
        name,
        code,
        seconds: (performance.now() - began) / 1000,
        output: Buffer.concat(output).toString() + more,
      });
    child.on('error', (error) => done(1, `${command} could not be run: ${error.message}\n`));
    child.on('close', (code, signal) => done(code ?? 1, signal === null ? '' : `${command} was ended by ${signal}\n`));
  });
}

/** Runs parts so many at a time, in order of the list, reporting each as it ends. */
export function runParts(parts: readonly Part[], atOnce: number): Promise<PartResult[]> {
  return pLimit(atOnce).map(parts, async (part) => {
    const result = await runPart(part);
    console.log(`${result.code === 0 ? 'ok    ' : 'FAILED'} ${result.name} (${result.seconds.toFixed(1)} s)`);
    if (result.code !== 0) console.log(result.output.trimEnd());
    return result;
  });
}
