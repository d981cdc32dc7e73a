import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchOptions } from '../../scripts/find-chromium.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const installed = join(here, '../../node_modules/.cache/lighthouse');

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

export interface Report {
  /** 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** Milliseconds on the phone it simulates; `layoutShift` has no unit. */
  readonly times: {
    readonly firstPaint: number;
    readonly largestPaint: number;
    readonly blocked: number;
    readonly speedIndex: number;
    readonly layoutShift: number;
  };
  /** What took points off, each with a message. */
  readonly findings: readonly string[];
}

export interface Lighthouse {
  /**
   * Opens the page in a fresh browser, on the middling phone and network that Lighthouse simulates. @throws where it
   * could not.
   */
  report(url: string): Promise<Report>;
}

/**
 * Lighthouse, at the version and with the hashes of the lockfile beside this file. It brings over a hundred packages
 * that nothing else needs, so it is fetched at the first measurement, and not with every installation of the product.
 */
export async function createLighthouse(): Promise<Lighthouse> {
  await installIfStale();
  return {
    report: async (url) => {
      const folder = await mkdtemp(join(tmpdir(), 'dwang-lighthouse-'));
      try {
        const path = join(folder, 'report.json');
        await run(
          process.execPath,
          [
            join(installed, 'node_modules/lighthouse/cli/index.js'),
            url,
            '--output=json',
            `--output-path=${path}`,
            `--only-categories=${categories.join(',')}`,
            '--quiet',
            '--no-enable-error-reporting',
            '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic',
          ],
          {
            env: { ...process.env, CHROME_PATH: launchOptions().executablePath, XDG_CONFIG_HOME: folder },
            timeout: 180_000,
          },
        );
        return readReport(JSON.parse(await readFile(path, 'utf8')) as RawReport);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function installIfStale(): Promise<void> {
  const lock = await readFile(join(here, 'package-lock.json'), 'utf8');
  const mark = join(installed, 'whole');
  if ((await readFile(mark, 'utf8').catch(() => '')) === lock) return;
  await mkdir(installed, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(here, file), join(installed, file));
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: installed });
  // Last, so that an interrupted installation counts as none.
  await writeFile(mark, lock);
}

/** The part of Lighthouse's result that is used. */
interface RawReport {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Record<
    Category,
    { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
  >;
  readonly audits: Record<
    string,
    {
      readonly title: string;
      readonly score: number | null;
      readonly scoreDisplayMode: string;
      readonly displayValue?: string;
      readonly numericValue?: number;
    }
  >;
}

function readReport({ runtimeError, categories: found, audits }: RawReport): Report {
  if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const scoreOf = (category: Category) => {
    const { score } = found[category];
    if (score === null) throw new Error(`Lighthouse gave no score for ${category}`);
    return Math.round(score * 100);
  };
  const valueOf = (id: string) => {
    const value = audits[id]?.numericValue;
    if (value === undefined) throw new Error(`Lighthouse did not measure ${id}`);
    return value;
  };
  const weighed = new Set(
    Object.values(found).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id)),
  );
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
      seo: scoreOf('seo'),
    },
    times: {
      firstPaint: valueOf('first-contentful-paint'),
      largestPaint: valueOf('largest-contentful-paint'),
      blocked: valueOf('total-blocking-time'),
      speedIndex: valueOf('speed-index'),
      layoutShift: valueOf('cumulative-layout-shift'),
    },
    findings: Object.entries(audits)
      .filter(([id, { score }]) => weighed.has(id) && score !== null && score < 0.9)
      .map(([id, { title, displayValue }]) => `${id}: ${displayValue ?? title}`),
  };
}
