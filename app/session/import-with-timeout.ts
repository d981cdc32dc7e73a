import { requestTimeoutMs } from './fetch-with-timeout.ts';

/**
 * For code a person waits for: it comes over the same connection as an answer, so it is waited for as long. The browser
 * goes on loading; a later call gets what has come by then.
 */
export async function importWithTimeout<T>(loading: Promise<T>): Promise<T> {
  let cancel = () => undefined as void;
  const timeout = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new TypeError('The server could not be reached.')), requestTimeoutMs);
    cancel = () => clearTimeout(timer);
  });
  const gone = loading.catch((cause: unknown) => {
    throw new TypeError('The server could not be reached.', { cause });
  });
  try {
    return await Promise.race([gone, timeout]);
  } finally {
    cancel();
  }
}
