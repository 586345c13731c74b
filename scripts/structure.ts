// Writes docs/structure.md, the features and the folders of the lookup engine as dependency-cruiser draws their imports.
// `--check` fails where the page is out of date.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from './check/step.ts';

const page = `${root}docs/structure.md`;
const tests = '\\.test\\.ts$';

const drawings: [title: string, only: string, collapse: string][] = [
  ['The features', '^src/features/', '^src/features/[^/]+'],
  ['The sources', '^src/features/sources/server/', '^src/features/sources/server/[^/]+'],
  ['The lookups', '^src/features/lookups/server/', '^src/features/lookups/server/[^/]+'],
];

const content = [
  '# The structure, drawn from the code',
  '',
  'Made by `npm run structure`. An arrow means "imports".',
  ...drawings.flatMap(([title, only, collapse]) => [
    '',
    `## ${title}`,
    '',
    '```mermaid',
    draw(only, collapse),
    '```',
  ]),
  '',
].join('\n');
if (!process.argv.includes('--check')) writeFileSync(page, content);
else if (content !== readFileSync(page, 'utf8')) {
  console.error('docs/structure.md is out of date: npm run structure');
  process.exit(1);
}

function draw(only: string, collapse: string): string {
  const settings = ['--config', '.dependency-cruiser.cjs', '--output-type', 'mermaid'];
  const chosen = ['--include-only', only, '--exclude', tests, '--collapse', collapse];
  const { stdout, stderr, status } = spawnSync('depcruise', ['src', ...settings, ...chosen], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`dependency-cruiser failed: ${stderr}`);
  return stdout.trim();
}
