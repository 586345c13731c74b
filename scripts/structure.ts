// Writes docs/structure.md, the features and the folders of the lookup engine as dependency-cruiser draws their imports.
// `--check` fails where the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cruise, format, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import { inRoot, root } from './run/paths.mjs';

const page = inRoot('docs', 'structure.md');

const drawings: [title: string, includeOnly: string, collapse: string][] = [
  ['The features', '^src/features/', '^src/features/[^/]+'],
  ['The sources', '^src/features/sources/server/', '^src/features/sources/server/[^/]+'],
  ['The lookups', '^src/features/lookups/server/', '^src/features/lookups/server/[^/]+'],
];

const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { options: ICruiseOptions };
const { options } = rules;
const { output } = await cruise(['src'], { ...options, baseDir: root }, options.enhancedResolveOptions);
let content =
  '# The structure, drawn from the code\n\nMade by `npm run structure`. An arrow means "imports".\n';
for (const [title, includeOnly, collapse] of drawings) {
  const drawn = { outputType: 'mermaid', includeOnly, exclude: '\\.test\\.ts$', collapse } as const;
  const drawing = await format(output as ICruiseResult, drawn);
  content += `\n## ${title}\n\n\`\`\`mermaid\n${String(drawing.output).trim()}\n\`\`\`\n`;
}
if (!process.argv.includes('--check')) writeFileSync(page, content);
else if (content !== readFileSync(page, 'utf8')) {
  console.error('docs/structure.md is out of date: npm run structure');
  process.exit(1);
}
