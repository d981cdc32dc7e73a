import { mailTo, signedIn } from './account.ts';
import type { RunningServer } from './open-server.ts';
import type { Credentials } from './person.ts';

/** The job that such an account has. */
export const firstTitle = 'Sweep the chimney';

/** An account of this test alone, with one job: what the test writes makes no other dashboard longer. */
export async function ownHomeowner(server: RunningServer, firstName: string): Promise<Credentials> {
  const person = { email: `${firstName.toLowerCase()}@example.nz`, password: 'their-own-password' };
  const { supabaseAnonKey: apikey } = (await (await fetch(`${server.url}/api/config`)).json()) as {
    supabaseAnonKey: string;
  };
  await fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  const [link] = (await mailTo(server, person.email, /confirm/i)).links;
  if (link === undefined) throw new Error('The mail to confirm the address has no link in it.');
  await fetch(link, { redirect: 'manual' });
  const api = await signedIn(server, person.email, person.password);
  await api.post('/api/users', { email: person.email, firstName, lastName: 'Ngata' });
  await api.post('/api/jobs', {
    title: firstTitle,
    description: 'Before the first frost.',
    locationId: 'southland/winton',
    urgency: 'slow',
    categoryId: 'builder',
  });
  return person;
}
