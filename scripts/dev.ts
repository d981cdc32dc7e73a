/* `npm run dev`: the server, restarted when its files change, and vite beside it. Open the address that vite prints. */
import { spawn } from 'node:child_process';
import { root, runtime, toolEnv } from './installed.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments('npm run dev');

const children = [
  spawn(runtime(), ['--watch', 'sync-server/main.ts', '--without-app'], {
    cwd: root,
    env: toolEnv(),
    stdio: 'inherit',
  }),
  spawn('vite', [], { cwd: root, env: toolEnv(), stdio: 'inherit' }),
];
const stop = () => children.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
