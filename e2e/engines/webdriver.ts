import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A session of a browser that speaks WebDriver (https://w3c.github.io/webdriver/). One command at a time, each in the
 * window it names.
 */
export interface WebDriver {
  /** A command without a window. */
  send<Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result>;
  /** The same in this window. */
  sendTo<Result>(window: string, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result>;
}

/** Opens the session, as soon as the driver listens. @throws Error where the browser does not start within a minute. */
export async function createWebDriver(base: string, capabilities: object): Promise<WebDriver> {
  const call = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = (await answer.json()) as { value: Result | { error: string; message: string } };
    if (answer.ok) return value as Result;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  const deadline = Date.now() + 60_000;
  const open = async (): Promise<{ sessionId: string }> => {
    try {
      return await call('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
    } catch (error) {
      // Only a driver that does not listen yet is waited for; what it answers is an answer.
      if (Date.now() > deadline || !(error instanceof TypeError)) throw error;
      await sleep(50);
      return open();
    }
  };
  const { sessionId } = await open();

  let queue: Promise<unknown> = Promise.resolve();
  let current: string | undefined;
  const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const turn = queue.then(run, run);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const send = <Result>(method: string, path: string, body?: object) =>
    call<Result>(method, `/session/${sessionId}${path}`, body);
  return {
    send: (method, path, body) => inTurn(() => send(method, path, body)),
    sendTo: (window, method, path, body) =>
      inTurn(async () => {
        if (current !== window) {
          current = undefined;
          await send('POST', '/window', { handle: window });
          current = window;
        }
        return send(method, path, body);
      }),
  };
}
