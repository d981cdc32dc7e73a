import { authCall, mailTo } from '../account.ts';
import { demo } from '../person.ts';
import type { Fixture, Scenario } from './screen-state.ts';

const newcomer = { email: 'link@example.nz', password: 'kowhai-flowers' };

/** Opens the link of a mail on a line on which the answer to who it signs in does not come. */
async function follow({ page, server, context }: Fixture, email: string, subject: RegExp): Promise<void> {
  await context.route('**/auth/v1/user', () => undefined);
  const { links } = await mailTo(server, email, subject);
  await page.goto('about:blank');
  await page.goto(links[0] ?? '');
}

/** Mailed links while they sign in. */
export const mailedLinkScenario: Scenario = {
  name: 'mailed link',
  screens: [
    {
      name: 'link-signing-in',
      shows: 'Opening your account',
      isWindow: true,
      isWaiting: true,
      enter: async (fixture) => {
        await authCall(fixture.server, 'signup', newcomer);
        await follow(fixture, newcomer.email, /confirm/i);
      },
    },
    {
      name: 'link-choosing-password',
      shows: 'Signing you in',
      isWaiting: true,
      enter: async (fixture) => {
        const { email } = demo('homeowner2');
        const back = encodeURIComponent(`${fixture.wire.url}/edit-account`);
        await authCall(fixture.server, `recover?redirect_to=${back}`, { email });
        await follow(fixture, email, /password/i);
      },
    },
  ],
  finish: ({ context }) => context.unrouteAll({ behavior: 'ignoreErrors' }),
};
