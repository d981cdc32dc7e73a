import { request } from 'node:http';

/** fetch undoes encodings and hides headers; this shows the wire. */
export function rawRequest(url: string, headers: Record<string, string> = {}, method = 'GET', body?: Uint8Array) {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(url, { headers, method, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    },
  );
}
