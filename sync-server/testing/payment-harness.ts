import type Stripe from 'stripe';
import { sql as rawSql } from 'kysely';
import { day } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { hasNzbnCheckDigit } from '../../shared/lib/nzbn.ts';
import { makeUser } from '../../shared/testing/make.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { createStripe } from '../billing/create-stripe.ts';
import type { BillingParts } from '../billing/billing-parts.ts';
import { asRow, columnsSql } from '../db/rows.ts';
import { insertRows } from '../db/write-rows.ts';
import { seedReference } from '../db/seed/seed-reference.ts';
import { findEmbeddedFiles } from '../embedded/storage/find-files.ts';
import {
  createEmbeddedPayments,
  type EmbeddedPayments,
  type EmbeddedPaymentsOptions,
} from '../embedded/payments/embedded-payments.ts';
import { createLog } from '../lib/log.ts';
import { openSync } from '../open-sync.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { openTestDb, type databases, type TestDatabase } from './test-db.ts';

export interface Member {
  id: string;
  email: string;
  call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Begins to subscribe; the address of the payment page. */
  /** Of a business with a number of its own, where none is given. */
  checkout(changes?: Record<string, unknown>): Promise<string>;
  portal(): Promise<string>;
  user(): Promise<User>;
  tradie(): Promise<Tradie | undefined>;
}

export interface PaymentHarness {
  app: TestApp;
  database: TestDatabase;
  stripe: Stripe;
  payments: EmbeddedPayments;
  parts: BillingParts;
  now(): Date;
  /** Moves the clock on, and lets happen what that brings. */
  pass(days: number): Promise<void>;
  member(changes?: Partial<User>): Promise<Member>;
  close(): Promise<void>;
}

/** A whole onboarding, as the app sends it. */
export const onboarding = {
  nzbn: '9429040402543',
  businessName: 'Kākā Point Plumbing',
  businessAddress: '3 Esplanade, Kākā Point 9271',
  contactPhone: '021 123 4567',
  description: 'Hot water, drains and rainwater.',
  logo: '',
  categoryIds: '["plumber","spouting"]',
  locationId: 'southland/winton',
};

let numbers = 0;

/** A unique number with a right check digit. */
export function makeTestNzbn(): string {
  numbers += 1;
  const body = `9429${String(numbers).padStart(8, '0')}`;
  return must(Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find(hasNzbnCheckDigit), 'a check digit');
}

interface PaymentHarnessOptions extends Pick<EmbeddedPaymentsOptions, 'scramble'> {
  /** The exchange too. */
  withSync?: boolean;
}

/** The real app with the embedded payments, reached through the real SDK. */
export async function openPaymentHarness(
  kind: (typeof databases)[number],
  { scramble, withSync = false }: PaymentHarnessOptions = {},
): Promise<PaymentHarness> {
  const database = await openTestDb(kind);
  await seedReference(database);
  let ahead = 0;
  const clock = () => new Date(Date.now() + ahead);
  const closing = new AbortController();
  let app: TestApp | undefined = undefined;
  const log = createLog('silent');
  const payments = createEmbeddedPayments({
    database,
    clock,
    log,
    closing: closing.signal,
    ownUrl: () => app?.origin ?? '',
    scramble,
  });
  const stripe = createStripe(payments.source);
  const seam = { stripe, webhookSecret: payments.webhookSecret, priceId: payments.priceId, trialDays: 14 };
  // A token is the user's id: the checks of real tokens have tests of their own.
  const common = {
    database,
    clock,
    verifyToken: async (userId: string) => ({ userId, email: '' }),
    anonKey: 'test-anon-key',
    findFiles: findEmbeddedFiles({ has: async () => true }),
  };
  const sync = withSync ? await openSync({ ...common, log, closing: closing.signal }) : undefined;
  app = await openTestApp({ ...common, payments: seam, embedded: [payments.router] }, { sync: sync?.routers });
  const opened = app;

  function as(id: string, email: string): Member {
    const nzbn = makeTestNzbn();
    const call: Member['call'] = async (method, path, body) => {
      const headers: Record<string, string> = {
        Authorization: `Bearer ${id}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      };
      const answer = await opened.call(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const mustHaveUrl = (answer: { status: number; body: Record<string, unknown> }) => {
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return String(answer.body['url']);
    };
    return {
      id,
      email,
      call,
      checkout: async (changes = {}) =>
        mustHaveUrl(
          await call('POST', '/api/stripe/create-checkout', { tradieData: { ...onboarding, nzbn, ...changes }, email }),
        ),
      portal: async () => mustHaveUrl(await call('POST', '/api/stripe/create-portal')),
      user: async () => {
        const { rows } = await rawSql<
          Record<string, unknown>
        >`select ${columnsSql('users', 't')} from users t where id = ${id}`.execute(database.sql);
        return asRow<'users'>(rows[0] ?? {});
      },
      tradie: async () => {
        const { rows } = await rawSql<
          Record<string, unknown>
        >`select ${columnsSql('tradies', 't')} from tradies t where user_id = ${id}`.execute(database.sql);
        return rows[0] && asRow<'tradies'>(rows[0]);
      },
    };
  }

  return {
    app: opened,
    database,
    stripe,
    payments,
    parts: { database, clock, log, payments: seam },
    now: clock,
    pass: async (days) => {
      ahead += days * day;
      await payments.settle();
    },
    member: async (changes) => {
      const user = makeUser(changes);
      await insertRows(database.sql, 'users', [user]);
      return as(user.id, user.email);
    },
    close: async () => {
      closing.abort();
      await opened.close();
      await sync?.close();
      await database.close();
    },
  };
}

/** Presses a button of a payment page, as a browser without scripts would. Where it leads, and what the page says. */
export async function pressButton(
  page: string,
  name: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string; text: string }> {
  const html = await (await fetch(page)).text();
  const form = html.split('<form').find((one) => one.includes(`>${name}</button>`));
  if (form === undefined) throw new Error(`There is no button ${name} on ${page}: ${html}`);
  const body = new URLSearchParams({ do: new RegExp(`name="do" value="([^"]*)">${name}<`).exec(form)?.[1] ?? '' });
  const state = /name="state" value="([^"]*)"/.exec(form)?.[1];
  if (state !== undefined) body.set('state', state);
  const answer = await fetch(page, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Origin: new URL(page).origin, ...headers },
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}
