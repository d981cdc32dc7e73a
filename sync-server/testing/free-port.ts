import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of this machine without a listener. Below the ephemeral ports (from 32768, or 49152): a server that is stopped
 * and started again must find its port as it left it.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort();
    throw error;
  }
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
