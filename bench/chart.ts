// Draws what was kept by BENCH_KEEP=docs/performance.json as docs/performance.svg: cost against size, both by powers of ten.
import { writeFile } from 'node:fs/promises';
import { type Kept, readResults } from './support/results.ts';

const docs = new URL('../docs/', import.meta.url);
const [width, height, columns] = [360, 280, 2];
const frame = { left: 56, right: 16, top: 34, bottom: 40 };
const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };

/** Seconds of a processor or of the clock: what is counted in answers a second costs the more the fewer there are. */
function costOf(unit: string, figure: number): number | undefined {
  if (unit === 's') return figure;
  if (unit === 'ms') return figure / 1000;
  return unit === '/CPU s' ? 1 / figure : undefined;
}

const results = await readResults(new URL('performance.json', docs));
/** What was measured at one size alone is told in the tables beside the picture. */
const isAtSizes = (work: string) => results.filter((kept) => kept.work === work).length > 1;
const works = [...new Set(results.filter(({ unit }) => costOf(unit, 1)).map(({ work }) => work))].filter(
  isAtSizes,
);
const panels = works.map((work, i) => {
  const place = `translate(${(i % columns) * width} ${Math.floor(i / columns) * height})`;
  return `<g transform="${place}">${drawPanel(results.filter((kept) => kept.work === work))}</g>`;
});
const size = [width * columns, height * Math.ceil(works.length / columns)];
await writeFile(
  new URL('performance.svg', docs),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size.join(' ')}" font-family="sans-serif" font-size="11" fill="#444">
<title>Cost against size, ours and the peer's</title>
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
</svg>
`,
);

/** One work: ours as a full line, the peer's as a broken one. */
function drawPanel(kept: Kept[]): string {
  const sorted = kept.toSorted((a, b) => a.size - b.size);
  const [{ work, unit, beside }] = sorted as [Kept, ...Kept[]];
  const lineOf = (pick: (one: Kept) => number) =>
    sorted.map((one) => [one.size, costOf(unit, pick(one)) ?? 1] as [number, number]);
  const [ours, peer] = [lineOf((one) => one.ours), lineOf((one) => one.peer)];
  const costs = [...ours, ...peer].map(([, cost]) => Math.log10(cost));
  const [low, high] = [Math.floor(Math.min(...costs)), Math.ceil(Math.max(...costs))];
  const x = (rows: number) => frame.left + ((Math.log10(rows) - 4) / 3) * inner.width;
  const y = (power: number) => frame.top + (1 - (power - low) / Math.max(1, high - low)) * inner.height;
  const point = ([rows, cost]: [number, number]) => [x(rows), y(Math.log10(cost))].map((at) => at.toFixed(1));
  const draw = (line: [number, number][], colour: string, dash: string) =>
    `<polyline points="${line.map((one) => point(one).join()).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>` +
    line
      .map(point)
      .map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`)
      .join('');
  const across = [4, 5, 6, 7].map((power) => {
    const at = x(10 ** power).toFixed(1);
    const label = ['10k', '100k', '1M', '10M'][power - 4];
    return `<path d="M${at} ${frame.top}v${inner.height}" stroke="#ddd"/><text x="${at}" y="${height - 22}" text-anchor="middle">${label}</text>`;
  });
  const up = Array.from({ length: high - low + 1 }, (_, i) => low + i).map((power) => {
    const at = y(power).toFixed(1);
    return `<path d="M${frame.left} ${at}h${inner.width}" stroke="#ddd"/><text x="${frame.left - 6}" y="${Number(at) + 4}" text-anchor="end">${formatSeconds(power)}</text>`;
  });
  return [
    `<text x="${frame.left}" y="16" font-weight="bold">${work}</text>`,
    ...across,
    ...up,
    draw(peer, '#999', ' stroke-dasharray="5 4"'),
    draw(ours, '#1864ab', ''),
    `<text x="${frame.left}" y="${height - 6}">full: ours; broken: ${beside}</text>`,
  ].join('');
}

function formatSeconds(power: number): string {
  if (power >= 0) return `${10 ** power} s`;
  return power >= -3 ? `${10 ** (power + 3)} ms` : `${10 ** (power + 6)} µs`;
}
