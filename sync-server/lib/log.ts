import { pino, type DestinationStream, type Logger } from 'pino';
import { boundFields, hideSecrets } from './hide-secrets.ts';

export type Log = Logger;

/** Fields that are never written, at any depth of a log line. */
const hiddenKeys = [
  'authorization',
  'cookie',
  'apikey',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'email',
  'phone',
  'contactPhone',
];

const redact = {
  paths: hiddenKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`, `*.*.*.${key}`]),
  censor: '[hidden]',
};

/**
 * One JSON line an event, without secrets or contact details: by field name first, then by what text looks like. No
 * text in it is longer than `maxFieldLength`.
 */
export function createLog(level: string, to?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    redact,
    timestamp: () => `,"at":"${new Date().toISOString()}"`,
    hooks: { streamWrite: (line: string) => hideSecrets(boundFields(line)) },
  };
  return to === undefined ? pino(options) : pino(options, to);
}
