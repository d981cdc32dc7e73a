/** A connection to a browser that speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export interface Bidi {
  /** Sends a command and answers its result. @throws Error with the browser's words. */
  send<Result = unknown>(method: string, params: object): Promise<Result>;
  /** Calls a function in a page with texts, awaits what it answers, and returns that in BiDi's form. */
  callFunction<Result>(context: string, source: string, given: readonly string[]): Promise<Result>;
  on<Params>(event: string, hear: (params: Params) => void): void;
  close(): void;
}

interface Message {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: string;
  message?: string;
}

type Called<Result> =
  | { type: 'success'; result: Result }
  | { type: 'exception'; exceptionDetails: { text: string; stackTrace?: unknown } };

export async function openBidi(address: string): Promise<Bidi> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}`)), { once: true });
  });
  let last = 0;
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  const hearers = new Map<string, (params: never) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, type, method = '', params, result, error, message } = JSON.parse(String(data)) as Message;
    if (type === 'event') return hearers.get(method)?.(params as never);
    const waiting = open.get(id ?? 0);
    open.delete(id ?? 0);
    if (type === 'success') waiting?.resolve(result);
    else waiting?.reject(new Error(`${error}: ${message}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of open.values()) reject(new Error('The browser has gone.'));
    open.clear();
  });

  const send = <Result>(method: string, params: object) => {
    const id = (last += 1);
    const waiting = Promise.withResolvers<unknown>();
    open.set(id, waiting);
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, method, params }));
    else waiting.reject(new Error('The browser has gone.'));
    return waiting.promise as Promise<Result>;
  };
  return {
    send,
    callFunction: async <Result>(context: string, source: string, given: readonly string[]) => {
      const called = await send<Called<Result>>('script.callFunction', {
        functionDeclaration: source,
        target: { context },
        arguments: given.map((value) => ({ type: 'string', value })),
        awaitPromise: true,
        userActivation: false,
      });
      if (called.type === 'exception') throw new Error(called.exceptionDetails.text);
      return called.result;
    },
    on: (event, hear) => void hearers.set(event, hear),
    close: () => socket.close(),
  };
}
