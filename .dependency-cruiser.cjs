/*
 * The walls between the rooms (ARCHITECTURE.md), type imports counted.
 *
 *   app:          main -> routes -> features -> parts -> hooks -> context -> photos -> sync, collections, session -> db, api -> shared     ui -> words, lib
 *   sync-server:  main -> app, routes -> ops, pages, api, billing -> collections -> sync -> effects -> http -> ports -> db -> lib -> shared
 *                 embedded/ is chosen in open-services; no other module imports it
 *   shared:       mutations, protocol, api -> tables -> actor, lib
 */
const tests = '\\.(test|spec)\\.tsx?$|/testing/|/stress/';

/** No import from these folders into those; tests may reach over, for they play both sides. */
const wall = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { path: from, pathNot: tests }, to: { path: to } });

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', comment: 'What needs each other is one thing, or needs a third.', from: {}, to: { circular: true } },

    wall('app-knows-no-server', '^app/', '^sync-server/', 'The app and the server meet in shared/ only.'),
    wall('server-knows-no-app', '^sync-server/', '^app/', 'The app and the server meet in shared/ only.'),
    wall('shared-knows-neither', '^shared/', '^(app|sync-server|simulate|e2e|scripts|bench)/', 'Common ground stands on itself.'),
    { name: 'shared-needs-only-zod', severity: 'error', comment: 'Common ground runs anywhere: zod and nothing else.', from: { path: '^shared/', pathNot: tests }, to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/(zod|libphonenumber-js)/' } },
    wall('tables-below-mutations', '^shared/(tables|lib|actor)', '^shared/(mutations|protocol|api)/', 'What there is does not know what one may do with it.'),
    wall('model-stands-alone', '^simulate/model/', '^(?!simulate/model/)', 'The other opinion of what a mutation means is no opinion of its own where it takes the product’s.'),
    wall('checker-by-the-model', '^simulate/checker/', '^shared/mutations/', 'The product’s own laws do not judge the product.'),
    wall('lib-at-the-bottom', '^shared/lib/', '^shared/(?!lib/)', 'The smallest things know nothing of the product.'),

    { name: 'features-apart', severity: 'error', comment: 'Two features that share something share it through ui/, lib/ or sync/.', from: { path: '^app/features/([^/]+)/', pathNot: tests }, to: { path: '^app/features/', pathNot: '^app/features/$1/' } },
    wall('below-features', '^app/(sync|db|ui|photos|outbox-backup|session|lib|collections|api|words)/', '^app/(features|routes)/', 'What is below is used by features and does not know them.'),
    wall('features-below-routes', '^app/features/', '^app/routes/', 'Routes choose features.'),
    wall('app-lib-at-the-bottom', '^app/lib/', '^app/(?!lib/)', 'The smallest things know nothing of the app.'),
    wall('sync-on-db-alone', '^app/sync/', '^app/(?!sync/|db/)', 'The engine runs in a page, in a worker and in the simulator: it knows the store and its own ports.'),
    wall('session-apart', '^app/session/', '^app/(sync|photos|outbox-backup|collections|api|words|ui|compose|pwa|worker)/', 'Who somebody is does not depend on what they have.'),
    wall('calls-on-shared-alone', '^app/api/', '^app/(?!api/)', 'A call is a definition of shared/ and a fetch.'),
    wall('db-at-the-bottom', '^app/db/', '^app/(sync|session|photos|outbox-backup|collections|api)/', 'The store on the device does not know who fills it.'),
    { name: 'parts-are-only-parts', severity: 'error', comment: 'A part of the interface knows React Aria, tokens and words.', from: { path: '^app/ui/', pathNot: tests }, to: { path: '^(app|shared)/', pathNot: '^(app/(ui|lib|words)|shared/lib)/' } },

    wall('embedded-chosen-in-one-place', '^sync-server/(?!embedded/|open-services\\.ts$|db/migrations/|db/seed/)', '^sync-server/embedded/', 'Only open-services knows which counterpart is in use.'),
    wall('server-db-at-the-bottom', '^sync-server/db/', '^sync-server/(sync|collections|api|pages|http|billing|effects|embedded|ops)/', 'The database does not know who asks.'),
    wall('server-sync-below-calls', '^sync-server/(sync|collections)/', '^sync-server/(api|pages|billing|ops|nzbn|mail)/', 'Calls go through sync, not the other way round.'),
    { name: 'synced-tables-through-sync', severity: 'error', comment: 'Only sync/ writes rows of synced tables, and db/ its seed, so that nothing changes without its law and a version.', from: { path: '^sync-server/', pathNot: `^sync-server/(sync|db)/|${tests}` }, to: { path: '^sync-server/db/(entities|write-rows)\\.ts$' } },
    wall('http-is-a-leaf', '^sync-server/http/', '^sync-server/(?!http/|lib/|ports/|db/is-transient\\.ts)', 'Bodies, problems, sessions and limits know no route.'),
    wall('server-lib-at-the-bottom', '^sync-server/lib/', '^sync-server/(?!lib/)', 'The smallest things know nothing of the server.'),

    { name: 'no-tests-in-the-product', severity: 'error', comment: 'What runs for people does not import what runs for tests.', from: { path: '^(app|sync-server|shared)/', pathNot: tests }, to: { path: tests, pathNot: '^shared/testing/random-source\\.ts$' } },
    { name: 'dependencies-that-are-there', severity: 'error', comment: 'Only what package.json names, and no development tools in the product.', from: { path: '^(app|sync-server|shared)/', pathNot: tests }, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] } },
    { name: 'found', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'], mainFields: ['module', 'main', 'types'] },
    exclude: { path: '\\.module\\.css$|\\.(css|svg|png)$' },
  },
};
