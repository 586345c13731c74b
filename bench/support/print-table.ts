import { type Contender, type Figures, type Goal, isMissed, judged, median } from './figures.ts';

/** Returns a Markdown table of minima and medians, ratios, spreads and goals. */
export function formatTable(goals: Goal[], figures: Figures, hasBeside: boolean): string {
  const head = ['Work', 'Ours, min / median', 'Spread', 'Peer, min / median', 'Ratio', 'Goal', ''];
  const rows = goals.map((goal) => {
    const { figure, peer, unit } = goal;
    const cells = [
      unit ? `${figure}, ${unit}` : figure,
      minAndMedian(figures.of(figure, 'ours')),
      spread(figures.of(figure, 'ours')),
      peer === undefined ? '' : `${peer} ${minAndMedian(figures.of(figure, peer))}`,
      peer === undefined ? '' : round(judged(goal, figures)),
      describeGoal(goal),
      goal.goal === undefined ? '' : isMissed(goal, figures) ? 'MISSED' : 'met',
    ];
    return hasBeside ? [...cells, describe(goal, figures, 'beside')] : cells;
  });
  return layOut([hasBeside ? [...head, 'Beside, median (ratio)'] : head, ...rows]);
}

function describe(goal: Goal, figures: Figures, contender: Contender): string {
  const values = figures.of(goal.figure, contender);
  if (values.length === 0) return '';
  const ratio = goal.peer === undefined ? '' : ` (${round(judged(goal, figures, contender))})`;
  return `${round(median(values))}${ratio}`;
}

function describeGoal({ goal, better }: Goal): string {
  return goal === undefined ? '' : `${better === 'smaller' ? '≤' : '≥'} ${goal}`;
}

function minAndMedian(values: number[]): string {
  return values.length === 0 ? 'none' : `${round(Math.min(...values))} / ${round(median(values))}`;
}

/** The distance of the extremes, in percent of the median. */
function spread(values: number[]): string {
  if (values.length < 2) return '';
  return `${Math.round((100 * (Math.max(...values) - Math.min(...values))) / median(values))} %`;
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2);
}

function layOut([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[], fill = ' ') =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  return [line(head), line([], '-'), ...rows.map((row) => line(row))].join('\n');
}
