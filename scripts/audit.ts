import { spawnSync } from 'node:child_process';
import { root } from './installed.mjs';

export type Audited = { kind: 'clean' } | { kind: 'holes'; named: string[] } | { kind: 'not-asked'; why: string };

interface AuditReport {
  vulnerabilities?: Record<string, { severity: string; via: (string | { title?: string; url?: string })[] }>;
  error?: { summary?: string };
  message?: string;
}

/** Reads what `npm audit --json` printed: high and critical advisories count, and silence is not a clean bill. */
export function readAudit(output: string): Audited {
  const report = parse(output);
  if (report?.vulnerabilities === undefined)
    return {
      kind: 'not-asked',
      why: report?.message ?? report?.error?.summary ?? 'npm audit printed nothing readable',
    };
  const named = Object.entries(report.vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(
      ([name, { severity, via }]) =>
        `${name} (${severity}): ${via.map((one) => (typeof one === 'string' ? `by way of ${one}` : `${one.title ?? ''} ${one.url ?? ''}`.trim())).join('; ')}`,
    );
  return named.length === 0 ? { kind: 'clean' } : { kind: 'holes', named };
}

/**
 * Asks the registry what is known of the packages that the server runs with. Those of the build run on no phone and no
 * server.
 */
export function audit(): Audited {
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return error ? { kind: 'not-asked', why: error.message } : readAudit(stdout);
}

function parse(output: string): AuditReport | undefined {
  try {
    return JSON.parse(output) as AuditReport;
  } catch {
    // What npm prints instead of JSON is no answer; the caller says so.
    return undefined;
  }
}
