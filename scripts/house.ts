// The figures of docs/house.md, for this checkout or another one: npm run house [-- FOLDER]
// Counts TypeScript, JavaScript and SQL that git tracks; generated files and vendored sheets are left out.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(process.argv[2] ?? '.');
const isCode = (path: string) => /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs|sql)$/.test(path);
const isLeftOut = (path: string) => /(^|\/)(node_modules|dist|vendor|generated|__generated__)\//.test(path);
const isTest = (path: string) => /\.(test|spec|e2e)\.|(^|\/)(tests?|__tests__|e2e|mock-api)\//.test(path);

/** One file: its path and its lines. */
type Source = { path: string; lines: string[] };

const sources = execFileSync('git', ['ls-files'], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
  .split('\n')
  .filter((path) => isCode(path) && !isLeftOut(path))
  .map((path): Source => ({ path, lines: readFileSync(join(folder, path), 'utf8').trimEnd().split('\n') }));
const product = sources.filter(({ path }) => !isTest(path));
const tests = sources.filter(({ path }) => isTest(path));

console.table({
  'files without tests': product.length,
  'lines without tests': countLines(product),
  'median lines of a file': quantile(product, 0.5),
  'nine in ten files have at most': quantile(product, 0.9),
  'longest file': quantile(product, 1),
  'files over 200 lines': product.filter(({ lines }) => lines.length > 200).length,
  'comment lines': percent(
    product.flatMap(({ lines }) => lines).filter(isComment).length,
    countLines(product),
  ),
  'runs of six equal lines': countRepeats(product),
  'test files': tests.length,
  'test lines for a line of product': (countLines(tests) / countLines(product)).toFixed(2),
});

function countLines(files: Source[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

function quantile(files: Source[], part: number): number {
  const sizes = files.map(({ lines }) => lines.length).sort((a, b) => a - b);
  return sizes[Math.ceil(part * sizes.length) - 1] ?? 0;
}

function percent(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)} %`;
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/\*|\*|--)/.test(line);
}

/** How many runs of at least six lines stand in two places; imports, blank and bracket-only lines do not count. */
function countRepeats(files: Source[]): number {
  const seen = new Set<string>();
  let repeats = 0;
  for (const { lines } of files) {
    const kept = lines.map((line) => line.trim()).filter((line) => /\w/.test(line) && !isPlain(line));
    let inRun = false;
    for (let start = 0; start + 6 <= kept.length; start++) {
      const window = kept.slice(start, start + 6).join('\n');
      const repeated = seen.has(window);
      if (repeated && !inRun) repeats += 1;
      inRun = repeated;
      seen.add(window);
    }
  }
  return repeats;
}

function isPlain(line: string): boolean {
  return isComment(line) || /^(import\b|export \{|\} from )/.test(line);
}
