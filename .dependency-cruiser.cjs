/* "Modules and their boundaries" of ARCHITECTURE.md, type imports included. */
const tests = '\\.(test|spec)\\.tsx?$|/testing/|^simulate/stress/';

/** No import from these folders into those; tests may, because they run both sides. */
const boundary = (name, from, to, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: tests },
  to: { path: to },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Modules that import each other are one module, or need a third that both import.',
      from: {},
      to: { circular: true },
    },

    boundary('app-imports-no-server', '^app/', '^sync-server/', 'The app and the server meet in shared/ only.'),
    boundary('server-imports-no-app', '^sync-server/', '^app/', 'The app and the server meet in shared/ only.'),
    boundary(
      'shared-imports-neither',
      '^shared/',
      '^(app|sync-server|simulate|e2e|scripts|bench)/',
      'shared/ imports nothing outside itself.',
    ),
    {
      name: 'shared-needs-only-zod',
      severity: 'error',
      comment: 'shared/ runs in browser and server: zod, libphonenumber-js and nothing else.',
      from: { path: '^shared/', pathNot: tests },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/(zod|libphonenumber-js)/' },
    },
    boundary(
      'tables-below-mutations',
      '^shared/(tables|lib|actor)',
      '^shared/(mutations|protocol|api)/',
      'Tables do not import the mutations that write them.',
    ),
    boundary(
      'model-stands-alone',
      '^simulate/model/',
      '^(?!simulate/model/)',
      'The model decides independently of the product, so it imports nothing of it.',
    ),
    boundary(
      'checker-imports-no-mutations',
      '^simulate/checker/',
      '^shared/mutations/',
      'The checker compares with the model, never with the product’s own mutations.',
    ),
    boundary('lib-at-the-bottom', '^shared/lib/', '^shared/(?!lib/)', 'Helpers import nothing of the product.'),

    {
      name: 'features-apart',
      severity: 'error',
      comment: 'Features share code through ui/, lib/ or sync/.',
      from: { path: '^app/features/([^/]+)/', pathNot: tests },
      to: { path: '^app/features/', pathNot: '^app/features/$1/' },
    },
    boundary(
      'below-features',
      '^app/(sync|db|ui|photos|outbox-backup|session|lib|context|hooks|parts|collections|api|words)/',
      '^app/(features|routes)/',
      'Lower modules do not import features.',
    ),
    boundary(
      'features-below-routes',
      '^app/features/',
      '^app/routes/',
      'Routes import features, not the other way round.',
    ),
    boundary(
      'app-lib-at-the-bottom',
      '^app/lib/',
      '^app/(?!lib/)|^node_modules/',
      'Helpers import nothing of the app, and no library: the engine may use them.',
    ),
    boundary(
      'sync-on-db-alone',
      '^app/sync/',
      '^app/(?!sync/|db/|lib/)',
      'The engine runs in a page, in a worker and in the simulator: it imports the store, helpers and its own ports.',
    ),
    boundary(
      'session-apart',
      '^app/session/',
      '^app/(sync|photos|outbox-backup|collections|api|words|ui|compose|pwa|worker)/',
      'The session does not depend on the data of its person.',
    ),
    boundary('calls-on-shared-alone', '^app/api/', '^app/(?!api/)', 'A call is a definition in shared/ and a fetch.'),
    boundary(
      'db-at-the-bottom',
      '^app/db/',
      '^app/(sync|session|photos|outbox-backup|collections|api)/',
      'The device’s store does not import its writers.',
    ),
    {
      name: 'ui-imports-no-app',
      severity: 'error',
      comment: 'A UI component imports React Aria, tokens and words.',
      from: { path: '^app/ui/', pathNot: tests },
      to: { path: '^(app|shared)/', pathNot: '^(app/(ui|lib|words)|shared/lib)/' },
    },

    boundary(
      'embedded-chosen-in-one-place',
      '^sync-server/(?!embedded/|create-services\\.ts$|db/migrations/|db/seed/)',
      '^sync-server/embedded/',
      'Only create-services knows which implementation is in use.',
    ),
    boundary(
      'server-db-at-the-bottom',
      '^sync-server/db/',
      '^sync-server/(sync|store|collections|api|pages|http|billing|effects|embedded|ops)/',
      'The database module does not import its callers.',
    ),
    boundary(
      'store-below-sync',
      '^sync-server/store/',
      '^sync-server/(sync|collections|api|pages|billing|embedded|ops|nzbn|mail)/',
      'The store does not import what is decided over it.',
    ),
    boundary(
      'alerts-follow-commits',
      '^sync-server/(alerts|push)/',
      '^sync-server/(sync|store|collections|api|pages|billing|embedded|ops|nzbn)/',
      'Who is told of what is decided after a commit, over the database alone.',
    ),
    {
      name: 'exchange-speaks-no-sql',
      severity: 'error',
      comment:
        'Push, pull, poke and the collections know the store alone, so that the simulator runs all of them. Calls and operators may ask PostgreSQL for more.',
      from: {
        path: '^sync-server/(sync|collections)/',
        pathNot: `/(exchange-limit|forget-(closed-jobs|searches))\\.ts$|${tests}`,
      },
      to: { path: 'node_modules/kysely/' },
    },
    boundary(
      'server-sync-below-calls',
      '^sync-server/(sync|collections)/',
      '^sync-server/(api|pages|billing|ops|nzbn|mail)/',
      'Calls go through sync, not the other way round.',
    ),
    {
      name: 'synced-tables-through-sync',
      severity: 'error',
      comment:
        'Only store/ writes rows of synced tables, db/ its seed, and retention deletes old ones, so that nothing changes without validation.',
      from: { path: '^sync-server/', pathNot: `^sync-server/(store|db)/|^sync-server/sync/forget-|${tests}` },
      to: { path: '^sync-server/db/(entities/|write-rows\\.ts$)' },
    },
    boundary(
      'http-is-a-leaf',
      '^sync-server/http/',
      '^sync-server/(?!http/|lib/|ports/|db/is-transient\\.ts)',
      'Bodies, problems, sessions and limits import no route.',
    ),
    boundary(
      'server-lib-at-the-bottom',
      '^sync-server/lib/',
      '^sync-server/(?!lib/)',
      'Helpers import nothing of the server.',
    ),

    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      comment: 'The product does not import test code.',
      from: { path: '^(app|sync-server|shared)/', pathNot: tests },
      to: { path: tests, pathNot: '^shared/testing/random-source\\.ts$' },
    },
    {
      name: 'dependencies-declared',
      severity: 'error',
      comment: 'Only what package.json names, and no development tools in the product.',
      from: { path: '^(app|sync-server|shared)/', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
    exclude: { path: '\\.module\\.css$|\\.(css|svg|png)$' },
  },
};
