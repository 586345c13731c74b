// The import rules between folders (ARCHITECTURE.md): app → features → server | web → shared.
const tests = '\\.test\\.tsx?$';
const webSide = ['^src/web/', '^src/features/[^/]+/web/'];
const serverSide = ['^src/server/', '^src/features/[^/]+/server/'];
/** The browser's part of src/app; everything else in it belongs to the server. */
const webEntry = '^src/app/web/';

/** The features from the ground up: each imports only features that stand before it in this list. */
const features = [
  ...['audit', 'clients', 'accounts', 'webhooks', 'proxies', 'sources', 'devices', 'watch', 'lookups'],
  ...['tickets', 'imports', 'rechecks', 'results', 'notifications', 'tracker', 'operations'],
  ...['statements', 'invoices', 'search', 'home'],
];

/** The folders of lookups/server and of sources/server from top to bottom: each imports only folders below it. */
const folders = {
  lookups: [...['dispatch', 'fetch', 'write', 'proxies'], ...['workers', 'queues', 'gate', 'jobs', 'rows']],
  sources: ['kinds', 'registry', 'sandbox', 'states', 'figures', 'responses', 'configuration', 'http'],
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'web-knows-no-server',
      comment: 'What runs in the browser cannot reach the server but through its contract.',
      severity: 'error',
      from: { path: [...webSide, webEntry] },
      to: { path: [...serverSide, '^src/app/server/'] },
    },
    {
      name: 'server-knows-no-web',
      comment: 'The server does not know what is drawn.',
      severity: 'error',
      from: { path: serverSide },
      to: { path: [...webSide, webEntry] },
    },
    {
      name: 'shared-is-a-leaf',
      comment: 'Shared code knows nothing of the product around it.',
      severity: 'error',
      from: { path: '^src/shared/', pathNot: tests },
      to: { path: '^src/', pathNot: '^src/shared/' },
    },
    {
      name: 'contracts-know-only-shared',
      comment:
        'A contract is read by both sides, so that it stands on neither; it may build on other files for both sides.',
      severity: 'error',
      from: { path: '\\.contract\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/shared/', '\\.(contract|shared)\\.ts$'] },
    },
    {
      name: 'shared-files-know-only-shared',
      comment:
        'Both sides of a feature use a .shared file; the browser loads it, so it needs no contract and no zod.',
      severity: 'error',
      from: { path: '^src/features/.*\\.shared\\.ts$' },
      to: { path: ['^src/', '^node_modules/'], pathNot: ['^src/shared/', '\\.shared\\.ts$'] },
    },
    {
      name: 'platform-knows-no-feature',
      comment: 'src/server and src/web carry every feature and know none.',
      severity: 'error',
      from: { path: '^src/(server|web)/', pathNot: tests },
      to: { path: '^src/(features|app)/' },
    },
    {
      name: 'features-know-no-app',
      comment: 'Only src/app knows every feature.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: tests },
      to: { path: '^src/app/' },
    },
    {
      name: 'features-use-public-files',
      comment:
        'Another feature is reached by its .contract, .shared, .service, .api or .view file alone; lookups uses all of sources.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: [tests, '^src/features/lookups/server/'] },
      to: {
        path: '^src/features/',
        pathNot: ['^src/features/$1/', '\\.(contract|shared|service|api|view)\\.tsx?$'],
      },
    },
    {
      name: 'features-use-public-files',
      comment:
        'The lookups ask the sources, so they know their parts; of every other feature they use the public files.',
      severity: 'error',
      from: { path: '^src/features/lookups/server/', pathNot: tests },
      to: {
        path: '^src/features/',
        pathNot: ['^src/features/(lookups|sources)/', '\\.(contract|shared|service|api|view)\\.tsx?$'],
      },
    },
    ...features.map((feature, index) => ({
      name: 'features-form-layers',
      comment: 'A feature is built on those below it, so that no circle of features can arise.',
      severity: 'error',
      from: { path: `^src/features/${feature}/`, pathNot: tests },
      to: {
        path: '^src/features/',
        pathNot: features.slice(0, index + 1).map((below) => `^src/features/${below}/`),
      },
    })),
    {
      name: 'features-have-a-layer',
      comment: 'A new feature is added to the list of layers.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: features.map((feature) => `^src/features/${feature}/`) },
      to: {},
    },
    {
      name: 'product-knows-no-tests',
      comment: 'Nothing that runs for people depends on the tests or the scripts.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: ['^tests/', '^scripts/', '^bench/', tests] },
    },
    {
      name: 'product-needs-no-development-packages',
      comment: 'What runs for people is a dependency, not a devDependency.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm'],
      },
    },
    ...Object.entries(folders).flatMap(([feature, names]) =>
      names.map((folder, index) => ({
        name: 'folders-go-one-way',
        comment: 'A row passes the folders of lookups/server in order; none knows a folder above it.',
        severity: 'error',
        from: { path: `^src/features/${feature}/server/${folder}/`, pathNot: tests },
        to: {
          path: `^src/features/${feature}/server/`,
          pathNot: names.slice(index).map((below) => `^src/features/${feature}/server/${below}/`),
        },
      })),
    ),
    {
      name: 'no-cycles',
      comment: 'A cycle cannot be read from top to bottom.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'nothing-unresolved',
      comment: 'A module that is not found would hide what it imports.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // The TypeScript of this project is the native one, which gives the cruiser nothing to parse with: without this it
    // would cruise no module and find no fault.
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '^src/shared/texts/'] },
    exclude: { path: '^src/shared/texts/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css', '.json', '.svg'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
