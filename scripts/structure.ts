// Draws docs/structure.md from the code's own imports: which feature reaches which, and the rooms of the lookup engine.
// `npm run structure` writes the page; with `--check` it fails where the page is not what the code says.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { root } from './check/step.ts';

const page = `${root}docs/structure.md`;

/** Names the box that a file stands in; null leaves the file out of the drawing. */
type BoxOf = (path: string) => string | null;

const drawings: { title: string; text: string; boxOf: BoxOf }[] = [
  {
    title: 'The features',
    text: 'Every feature also uses `src/shared` and, by its side, `src/server` or `src/web`; `src/app` uses all of them.',
    boxOf: (path) => path.match(/^src\/features\/([^/]+)\//)?.[1] ?? null,
  },
  {
    title: 'The lookup engine',
    text: 'The folders of `src/features/coverage/server`; files that stand in no folder are drawn by their names.',
    boxOf: (path) => path.match(/^src\/features\/coverage\/server\/([^/]+)/)?.[1] ?? null,
  },
];

const content = write(readImports());
if (!process.argv.includes('--check')) writeFileSync(page, content);
else if (content !== readFileSync(page, 'utf8')) {
  console.error('docs/structure.md is not what the code says: npm run structure');
  process.exit(1);
}

/** @returns every import between files of the product, tests left out, as pairs of paths */
function readImports(): [from: string, to: string][] {
  const { stdout, stderr, status } = spawnSync(
    'depcruise',
    ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status === null || !stdout) throw new Error(`depcruise did not answer: ${stderr}`);
  const { modules } = JSON.parse(stdout) as {
    modules: { source: string; dependencies: { resolved: string }[] }[];
  };
  return modules
    .filter(({ source }) => source.startsWith('src/') && !source.endsWith('.test.ts'))
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }): [string, string] => [source, resolved]),
    );
}

function write(imports: [string, string][]): string {
  const head = [
    '# The structure, drawn from the code',
    '',
    'Made by `npm run structure`; `npm run check` fails when it is not current. An arrow means "imports".',
  ];
  const parts = drawings.flatMap(({ title, text, boxOf }) => [
    '',
    `## ${title}`,
    '',
    text,
    '',
    '```mermaid',
    ...draw(imports, boxOf),
    '```',
  ]);
  return `${[...head, ...parts].join('\n')}\n`;
}

/** One line for each box, its arrows ordered by name, so that the page changes only where the structure does. */
function draw(imports: [string, string][], boxOf: BoxOf): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const [start, end] = [boxOf(from), boxOf(to)];
    if (start === null) continue;
    const ends = arrows.get(start) ?? arrows.set(start, new Set()).get(start);
    if (end !== null && end !== start) ends?.add(end);
  }
  const lines = [...arrows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([start, ends]) => `  ${[start, [...ends].sort().join(' & ')].filter(Boolean).join(' --> ')}`);
  return ['flowchart LR', ...lines];
}
