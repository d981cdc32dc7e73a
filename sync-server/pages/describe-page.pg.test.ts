import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentsFile, type InlinedDirectory, type InlinedTradie } from '../../shared/inlined.ts';
import { makeJob, makeReference, makeTestId, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { compareNames } from '../../shared/lib/compare-names.ts';
import { collectionColumns } from '../../shared/tables/collections.ts';
import { readConfig } from '../lib/config.ts';
import { insertRows } from '../db/write-rows.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { describePages } from './describe-page.ts';

const hostile = `%content% Bob's "><script>alert(1)</script> & Sons $& <!--/page-head-->`;
const owner = makeUser({ firstName: 'Hinemoa', lastName: 'Tūhoe', email: 'hinemoa@example.nz' });
const person = makeUser({ subscriptionStatus: 'active', email: 'wiremu@example.nz' });
const tradie = makeTradie({
  userId: person.id,
  businessName: 'Ōtara Roofing',
  description: `Leaks found,\n roofs mended. ${'Long '.repeat(80)}`,
  email: 'wiremu@example.nz',
  contactPhone: '+64211234567',
  categoryIds: ['builder'],
  locationId: 'southland/winton',
  businessAddress: '5 Secret Street',
  contactPersonFirstName: 'Wiremu',
});
const hostilePerson = makeUser({ subscriptionStatus: 'active' });
const hostileTradie = makeTradie({ userId: hostilePerson.id, businessName: hostile, description: hostile });
const wordlessPerson = makeUser({ subscriptionStatus: 'active' });
const wordless = makeTradie({ userId: wordlessPerson.id, description: '', isVerified: false });
const verifiedPerson = makeUser({ subscriptionStatus: 'active' });
const verified = makeTradie({
  userId: verifiedPerson.id,
  businessName: 'Te Anau Decks',
  email: 'decks@example.nz',
  locationId: 'southland/winton',
  isVerified: true,
});
const job = makeJob({
  userId: owner.id,
  createdAt: new Date().toISOString(),
  categoryId: 'builder',
  title: 'Mend the <b>roof</b>',
  description: 'It drips.',
  locationId: 'southland/winton',
  budgetMax: 1_500,
});
const closed = makeJob({ userId: owner.id, title: 'A job that is over', status: 'closed' });

let database: TestDatabase;
let app: TestApp;
let dist: string;

beforeAll(async () => {
  database = await openTestDb('pglite');
  await insertRows(database.sql, 'reference', [
    makeReference({ id: 'builder', name: 'Builder' }),
    makeReference({ id: 'southland/winton', kind: 'location', name: 'Winton', region: 'Southland' }),
  ]);
  await database.transaction(async (sql) => {
    await insertRows(sql, 'users', [owner, person, hostilePerson, wordlessPerson, verifiedPerson]);
    await insertRows(sql, 'tradies', [tradie, hostileTradie, wordless, verified]);
    await rawSql`update users set tradie_id = (select id from tradies where user_id = users.id)`.execute(sql);
    await insertRows(sql, 'jobs', [job, closed]);
  });
  dist = await mkdtemp(join(tmpdir(), 'dwang-dist-'));
  const page = (name: string) =>
    `<!doctype html><head><!--page-head--><title>Dwang</title><!--/page-head--></head><body>${name}</body>`;
  for (const name of ['index', 'legal']) await writeFile(join(dist, `${name}.html`), page(name));
  await writeFile(join(dist, 'home.html'), page('home<div class="proof" data-proof=""></div>'));
  for (const name of ['tradie', 'find-tradies'])
    await writeFile(
      join(dist, `${name}.html`),
      page(name).replace('<body>', '<body data-written="%written%">%content%'),
    );
  // Stands for the app's components, which escape what they draw: app/documents.dom.test.tsx.
  await mkdir(join(dist, dirname(documentsFile)));
  await writeFile(
    join(dist, documentsFile),
    `const safe = (text) => encodeURIComponent(JSON.stringify(text));
    export const tradie = (inlined) => '<i>' + safe(inlined) + '</i>';
    export const directory = (inlined) => '<i>' + safe(inlined ?? 'to come') + '</i>';`,
  );
  app = await openTestApp({ database, config: readConfig({ PUBLIC_URL: 'https://dwang.example.nz' }) }, { dist });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await rm(dist, { recursive: true });
});

async function read(path: string): Promise<{ status: number; html: string; says(key: string): string | undefined }> {
  const answer = await app.call(path, { headers: { Accept: 'text/html' } });
  const html = await answer.text();
  const says = (key: string) =>
    (key === 'title'
      ? /<title>([^<]*)<\/title>/
      : key === 'canonical'
        ? /rel="canonical" href="([^"]*)"/
        : new RegExp(`(?:name|property)="${key}" content="([^"]*)"`)
    ).exec(html)?.[1];
  return { status: answer.status, html, says };
}

/** What a browser reads in the attribute. */
function writtenIn<Inlined = InlinedTradie>(html: string): Inlined {
  const entities: Record<string, string> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' };
  const text =
    /data-written="([^"]*)"/
      .exec(html)?.[1]
      ?.replace(/&(quot|lt|gt|#39|amp);/g, (_, name: string) => entities[name] ?? '') ?? '';
  return JSON.parse(text) as Inlined;
}

/** What the document was drawn of. */
const drawnOf = (html: string): unknown => JSON.parse(decodeURIComponent(/<i>(.*)<\/i>/.exec(html)?.[1] ?? '""'));

test.each([
  ['/', 'home<div class="proof" data-proof="">', 'Connecting Homeowners &amp; Tradies Across NZ · Dwang'],
  ['/legal', 'legal', 'Terms of use and Privacy policy · Dwang'],
])('%s names itself, in its own document', async (path, document, title) => {
  const { status, html, says } = await read(path);
  expect([status, says('title'), says('og:title')]).toEqual([200, title, title]);
  expect(html).toContain(`<body>${document}`);
  expect([says('canonical'), says('og:url'), says('og:image'), says('og:type')]).toEqual([
    `https://dwang.example.nz${path}`,
    `https://dwang.example.nz${path}`,
    'https://dwang.example.nz/share.png',
    'website',
  ]);
  expect(says('description')).toBe(says('og:description'));
});

test('a business shows its name, town and words, and no contact', async () => {
  const { status, html, says } = await read(`/tradie/${tradie.id}`);
  expect([status, says('title'), says('og:type')]).toEqual([200, 'Ōtara Roofing, Winton · Dwang', 'profile']);
  expect(says('description')).toMatch(/^Builder in Winton\. Leaks found, roofs mended\. Long .*…$/);
  expect([...(says('description') ?? '')].length).toBeLessThanOrEqual(200);
  for (const secret of ['wiremu@', '+64', '211234567', person.id])
    expect(decodeURIComponent(html)).not.toContain(secret);
});

test('a business stands on its page before any script runs, with what every visitor may read and not a column more', async () => {
  const { html } = await read(`/tradie/${tradie.id}`);
  const { listed, ...rest } = writtenIn(html);
  expect(rest).toEqual({
    trades: ['Builder'],
    place: 'Winton, Southland',
    details: {
      nzbn: tradie.nzbn,
      businessAddress: '5 Secret Street',
      contactPerson: ['Wiremu', tradie.contactPersonLastName].filter(Boolean).join(' '),
      registeredName: '',
    },
  });
  expect(Object.keys(listed)).toEqual(collectionColumns('directory'));
  expect(listed).toMatchObject({
    id: tradie.id,
    businessName: tradie.businessName,
    categoryIds: ['builder'],
    locationId: 'southland/winton',
  });
  expect(drawnOf(html)).toEqual(writtenIn(html));
});

test('a business without words has its page too', async () => {
  const { status, html } = await read(`/tradie/${wordless.id}`);
  expect([status, writtenIn(html).listed.id]).toEqual([200, wordless.id]);
});

test('the directory begins in its document, A to Z as New Zealand sorts, with what its cards show and no column more', async () => {
  const { html, says } = await read('/find-tradies');
  expect([says('title'), says('canonical')]).toEqual(['Find Tradies · Dwang', 'https://dwang.example.nz/find-tradies']);
  const { total, cards } = writtenIn<InlinedDirectory>(html);
  expect(total).toBe(4);
  expect(cards.map(({ businessName }) => businessName)).toEqual(
    [tradie, hostileTradie, wordless, verified].map(({ businessName }) => businessName).toSorted(compareNames),
  );
  expect(cards.find(({ id }) => id === tradie.id)).toEqual({
    id: tradie.id,
    businessName: 'Ōtara Roofing',
    logo: tradie.logo,
    isVerified: tradie.isVerified,
    trades: ['Builder'],
    place: 'Winton, Southland',
  });
  expect(drawnOf(html)).toEqual(writtenIn(html));
});

test.each(['?q=roof', '?trades=builder', '?region=Southland', '?town=southland%2Fwinton', '?sort=z-a'])(
  'of a directory that is narrowed or sorted (%s) nothing stands that the app would take away',
  async (query) => {
    const { html } = await read(`/find-tradies${query}`);
    expect([drawnOf(html), html.includes('data-written=""')]).toEqual(['to come', true]);
  },
);

test.each(['?sign-in', '?utm_source=letter', '?sort=a-z', '?q=&trades='])(
  '%s asks for the same directory',
  async (query) => {
    const { html } = await read(`/find-tradies${query}`);
    expect(writtenIn<InlinedDirectory>(html).total).toBe(4);
  },
);

test('[hostile] a business name is text and nothing else', async () => {
  const { status, html, says } = await read(`/tradie/${hostileTradie.id}`);
  expect(status).toBe(200);
  expect(html).not.toContain('<script');
  expect(says('title')).toContain(
    '%content% Bob&#39;s &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons $&amp;',
  );
  expect(html.endsWith('tradie</body>')).toBe(true);
  // What looks like a placeholder stays the text that a person wrote.
  expect(writtenIn(html).listed.businessName).toBe(hostile);
});

test.each([makeTestId(), '1', 'x'.repeat(300)])(
  'a business that is not there (%s) is 404, with the app to say so',
  async (id) => {
    const { status, html } = await read(`/tradie/${id}`);
    expect([status, html.includes('<body>index</body>')]).toEqual([404, true]);
  },
);

test('an active job is shared by link: its title and words, unlisted, and nothing of whose it is', async () => {
  const { status, html, says } = await read(`/job/${job.id}`);
  expect([status, says('title'), says('description'), says('robots')]).toEqual([
    200,
    'Mend the &lt;b&gt;roof&lt;/b&gt;, Winton · Dwang',
    'Max budget $1,500. It drips.',
    'noindex',
  ]);
  for (const secret of [owner.id, 'Hinemoa', 'hinemoa@']) expect(html).not.toContain(secret);
});

test.each([
  ['closed', closed.id],
  ['unknown', makeTestId()],
])('of a %s job nothing is said, not even that it is there', async (_what, id) => {
  const { status, html } = await read(`/job/${id}`);
  expect([status, html]).toEqual([
    200,
    '<!doctype html><head><!--page-head--><title>Dwang</title><!--/page-head--></head><body>index</body>',
  ]);
});

test('a page that has not changed is not sent again', async () => {
  const first = await app.call(`/tradie/${tradie.id}`);
  const again = await app.call(`/tradie/${tradie.id}`, {
    // `fetch` would ask for no cache at all.
    headers: { 'If-None-Match': first.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
  });
  expect([first.headers.get('cache-control'), again.status]).toEqual(['no-cache', 304]);
});

test('a database that cannot be asked costs a page its words, not the page', async () => {
  const describe = describePages({
    database: {
      ...database,
      get sql(): never {
        throw new Error('away');
      },
    },
    clock: app.deps.clock,
    log: app.deps.log,
  });
  expect((await describe('/'))?.head?.path).toBe('/');
  expect(await describe(`/job/${job.id}`)).toBeUndefined();
  expect(app.logged()).toContain('page not described');
});

test('a document that cannot be drawn costs a page its content, not the page', async () => {
  const describe = describePages(app.deps, Promise.reject(new Error('no such file')));
  expect(await describe(`/tradie/${tradie.id}`)).toBeUndefined();
  expect(app.logged()).toContain('no such file');
  const whole = describePages(
    app.deps,
    Promise.resolve({
      tradie: () => {
        throw new Error('a row that cannot be drawn');
      },
      directory: () => '',
    }),
  );
  expect(await whole(`/tradie/${tradie.id}`)).toBeUndefined();
  expect(app.logged()).toContain('a row that cannot be drawn');
});

test('the landing page shows jobs of the week by trade, place, day and budget, and verified businesses: nothing a homeowner wrote', async () => {
  const { html } = await read('/');
  expect(html).toMatch(
    /<strong>Builder<\/strong>\s*<b>\$1,500 max<\/b>\s*<span>Winton, Southland · (today|yesterday)<\/span>/,
  );
  expect(html).toMatch(
    new RegExp(`<a href="/tradie/${verified.id}">Te Anau Decks</a>\\s*<span>.*Winton, Southland</span>`),
  );
  expect(html).not.toContain(wordless.id);
  for (const secret of [
    job.id,
    owner.id,
    job.title,
    'Mend the',
    job.description,
    'Hinemoa',
    'hinemoa@',
    verified.email,
  ])
    expect(html).not.toContain(secret);
});
