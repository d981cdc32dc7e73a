import type Stripe from 'stripe';
import type { Config } from '../../lib/config.ts';
import type { Database } from '../../db/database.ts';
import { checkAlerts } from './check-alerts.ts';
import { checkDatabase } from './check-database.ts';
import { checkFiles } from './check-files.ts';
import { checkMail } from './check-mail.ts';
import { checkPayments } from './check-payments.ts';
import { checkSignIn } from './check-sign-in.ts';
import { warning, good, missing, type Finding } from './finding.ts';

interface ExamineParts {
  config: Config;
  /** Undefined where DATABASE_URL is not set. */
  database: Database | undefined;
  /** Undefined where no keys are set. */
  stripe: Stripe | undefined;
  ask: typeof fetch;
}

/** Looks at everything a configuration leads to, and leaves it as it is; what an open bucket let it write, it names. */
export async function examine({ config, database, stripe, ask }: ExamineParts): Promise<Finding[]> {
  const parts = await Promise.all([
    checkDatabase(config, database),
    checkSignIn(config, ask),
    checkFiles(config, database, ask),
    checkPayments(config, stripe),
    checkMail(config),
  ]);
  return [checkAddress(config), checkProxies(config), ...parts.flat(), ...checkAlerts(config)];
}

function checkAddress({ publicUrl, production }: Config): Finding {
  if (publicUrl === undefined)
    return (production ? missing : warning)(
      'Address',
      'PUBLIC_URL is not set: links in mail and the ways back from payment follow whatever address a request came to.',
    );
  if (!publicUrl.startsWith('https:'))
    return (production ? missing : warning)('Address', 'PUBLIC_URL is not https: the app cannot be installed from it.');
  return good('Address', `People reach it at ${publicUrl}.`);
}

function checkProxies({ trustedProxies, publicUrl, production }: Config): Finding {
  const about = 'Proxies';
  if (trustedProxies.length > 0) return good(about, `Who called is believed from ${trustedProxies.join(', ')}.`);
  // TLS ends in front of this server: an https address means that there is a proxy.
  if (production || publicUrl?.startsWith('https:')) {
    return warning(
      about,
      'TRUSTED_PROXIES is not set: behind a proxy everybody counts as one address in every limit. Name the proxy’s address, its network, or loopback.',
    );
  }
  return good(about, 'TRUSTED_PROXIES is not set: no caller is believed that says to call for another.');
}
