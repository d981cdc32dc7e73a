import { createECDH } from 'node:crypto';
import type { Config } from '../../lib/config.ts';
import { warning, good, missing, type Finding } from './finding.ts';

const about = 'Alerts';

/** Can phones be told of news, and is the key a pair? */
export function checkAlerts({ vapid, embeddedAllowed, mail, publicUrl }: Config): Finding[] {
  if (vapid === undefined)
    return [
      embeddedAllowed
        ? good(
            about,
            'VAPID_PUBLIC_KEY is not set: the key at the push services is made on the first start, and kept in the database.',
          )
        : warning(
            about,
            'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not set: alerts on phones are not offered. `npx web-push generate-vapid-keys` makes a pair.',
          ),
    ];
  const subject = mail === undefined && publicUrl?.startsWith('https:') !== true ? 'missing' : 'known';
  return [
    isPair(vapid)
      ? good(about, 'Phones can be told of news.')
      : missing(
          about,
          'VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY: the push services will take no message.',
        ),
    ...(subject === 'known'
      ? []
      : [
          warning(
            about,
            'Neither MAIL_FROM nor an https PUBLIC_URL says whom a push service may write to: Apple’s takes no message.',
          ),
        ]),
  ];
}

function isPair({ publicKey, privateKey }: { publicKey: string; privateKey: string }): boolean {
  const key = createECDH('prime256v1');
  try {
    key.setPrivateKey(privateKey, 'base64url');
  } catch {
    return false;
  }
  return key.getPublicKey('base64url') === publicKey.replace(/=+$/, '');
}
