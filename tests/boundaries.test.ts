import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';

type Rules = ICruiseOptions['ruleSet'] & { options: ICruiseOptions };

/** A small valid project with the same folders, as file → content. */
const sound: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    imports: {
      '#app/*': './src/app/*',
      '#features/*': './src/features/*',
      '#server/*': './src/server/*',
      '#web/*': './src/web/*',
      '#shared/*': './src/shared/*',
    },
  }),
  'src/shared/paging.ts': 'export const paging = 1;',
  'src/server/db/db.ts': "import { paging } from '#shared/paging.ts';\nexport const db = paging;",
  'src/web/page.tsx': 'export const Page = () => <p />;',
  'src/features/clients/clients.contract.ts':
    "import { paging } from '#shared/paging.ts';\nexport const a = paging;",
  'src/features/clients/server/clients.queries.ts':
    'export type Row = { id: number };\nexport const readRow = 1;',
  'src/features/clients/server/clients.service.ts':
    "import { readRow } from './clients.queries.ts';\nexport const serve = readRow;",
  'src/features/tickets/server/tickets.service.ts':
    "import { serve } from '#features/clients/server/clients.service.ts';\nexport const b = serve;",
  'src/features/tickets/web/list/tickets-page.tsx':
    "import { Page } from '#web/page.tsx';\nexport const B = () => <Page />;",
  'src/features/lookups/server/dispatch/dispatcher.ts':
    "import { Row } from '../rows/row.ts';\nexport const dispatch = Row;",
  'src/features/lookups/server/rows/row.ts': 'export const Row = 1;',
  'src/features/lookups/server/engine.ts':
    "import { dispatch } from './dispatch/dispatcher.ts';\nexport const start = dispatch;",
  'src/app/server/api/api.ts':
    "import { b } from '#features/tickets/server/tickets.service.ts';\nexport const api = b;",
};

/** Violations: one more file each, and the rule that must report it. */
const plants: [what: string, file: string, content: string, rule: string][] = [
  ['web → server by alias', 'src/web/bad.tsx', "import '#server/db/db.ts';", 'web-knows-no-server'],
  [
    'web → server by a relative path',
    'src/web/bad.ts',
    "import '../server/db/db.ts';",
    'web-knows-no-server',
  ],
  [
    'a screen → queries',
    'src/features/clients/web/bad.tsx',
    "import '../server/clients.queries.ts';",
    'web-knows-no-server',
  ],
  ['server → web', 'src/features/clients/server/bad.ts', "import '#web/page.tsx';", 'server-knows-no-web'],
  ['shared → server', 'src/shared/bad.ts', "import '#server/db/db.ts';", 'shared-is-a-leaf'],
  [
    'contract → server',
    'src/features/clients/bad.contract.ts',
    "import '#server/db/db.ts';",
    'contracts-know-only-shared',
  ],
  [
    'shared file of a feature → contract',
    'src/features/clients/bad.shared.ts',
    "import './clients.contract.ts';",
    'shared-files-know-only-shared',
  ],
  [
    'platform → feature',
    'src/server/bad.ts',
    "import '#features/clients/clients.contract.ts';",
    'platform-knows-no-feature',
  ],
  [
    'feature → app',
    'src/features/clients/server/bad.ts',
    "import '../../../app/server/api/api.ts';",
    'features-know-no-app',
  ],
  [
    'another feature past its door, by alias',
    'src/features/tickets/server/bad.ts',
    "import '#features/clients/server/clients.queries.ts';",
    'features-use-public-files',
  ],
  [
    'another feature past its door, by a relative path, for a type alone',
    'src/features/tickets/server/bad.ts',
    "import type { Row } from '../../clients/server/clients.queries.ts';\nexport type Mine = Row;",
    'features-use-public-files',
  ],
  [
    'another feature past its door, when called',
    'src/features/tickets/server/bad.ts',
    "export const load = () => import('#features/clients/server/clients.queries.ts');",
    'features-use-public-files',
  ],
  [
    'a feature → one above it, a circle of features but not of files',
    'src/features/clients/server/bad.ts',
    "import '#features/tickets/server/tickets.service.ts';",
    'features-form-layers',
  ],
  [
    'a feature that has no layer',
    'src/features/fresh/fresh.contract.ts',
    "import '#shared/paging.ts';",
    'features-have-a-layer',
  ],
  [
    'up through the folders of lookups/server',
    'src/features/lookups/server/rows/bad.ts',
    "import '../dispatch/dispatcher.ts';",
    'folders-go-one-way',
  ],
  [
    'a folder of lookups/server → what wires them',
    'src/features/lookups/server/dispatch/bad.ts',
    "import '../engine.ts';",
    'folders-go-one-way',
  ],
  ['a cycle', 'src/shared/paging.ts', "import './round.ts';\nexport const paging = 1;", 'no-cycles'],
  ['a module that is not there', 'src/server/bad.ts', "import './nowhere.ts';", 'nothing-unresolved'],
  ['product → tests', 'src/server/bad.ts', "import './db/db.test.ts';", 'product-knows-no-tests'],
];

const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as Rules;
let house: string;
before(async () => {
  house = await mkdtemp(join(tmpdir(), 'coverdesk-boundaries-'));
  await build({ 'src/shared/round.ts': "import './paging.ts';", 'src/server/db/db.test.ts': '' });
});
after(() => rm(house, { recursive: true }));

test('a project without violations passes, and every module is read', async () => {
  const { summary, modules } = await cruiseHouse();
  assert.deepEqual(summary.violations, []);
  const read = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'));
  const sources = Object.keys(sound).filter((file) => file.startsWith('src/'));
  assert.deepEqual(read.sort(), [...sources, 'src/shared/round.ts', 'src/server/db/db.test.ts'].sort());
});

for (const [what, file, content, rule] of plants) {
  test(`a violation is reported: ${what}`, async () => {
    await build({ [file]: content });
    try {
      const { summary } = await cruiseHouse();
      assert.deepEqual([...new Set(summary.violations.map((violation) => violation.rule.name))], [rule]);
    } finally {
      await rm(join(house, file));
      await build({});
    }
  });
}

async function build(more: Record<string, string>): Promise<void> {
  for (const [file, content] of Object.entries({ ...sound, ...more })) {
    await mkdir(dirname(join(house, file)), { recursive: true });
    await writeFile(join(house, file), content);
  }
}

async function cruiseHouse(): Promise<ICruiseResult> {
  const { options, ...ruleSet } = rules;
  const { output } = await cruise(
    ['src'],
    { ...options, ruleSet, validate: true, baseDir: house },
    options.enhancedResolveOptions,
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
}
