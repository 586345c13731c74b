import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goals } from '../bench/goals.ts';
import { Figures, type Goal, isMissed } from '../bench/support/figures.ts';
import { formatTable } from '../bench/support/print-table.ts';

const smaller: Goal = { figure: 'import', unit: 's', peer: 'exceljs', better: 'smaller', goal: 0.4 };
const larger: Goal = { figure: 'lookups', unit: '/s', peer: 'bare loop', better: 'larger', goal: 0.32 };
const alone: Goal = { figure: 'start', unit: 's', better: 'smaller', goal: 1.2 };

function fill(values: Record<string, Record<string, number[]>>): Figures {
  const figures = new Figures();
  for (const [figure, contenders] of Object.entries(values)) {
    for (const [contender, measured] of Object.entries(contenders)) {
      for (const value of measured) figures.add(figure, contender, value);
    }
  }
  return figures;
}

test('a goal is missed by the median on the wrong side of it', () => {
  const met = fill({
    import: { ours: [9, 4, 3], exceljs: [10] },
    lookups: { ours: [32], 'bare loop': [100] },
    start: { ours: [1.2] },
  });
  for (const goal of [smaller, larger, alone]) assert.equal(isMissed(goal, met), false, goal.figure);
  const missed = fill({
    import: { ours: [5, 3, 4.1], exceljs: [10] },
    lookups: { ours: [31], 'bare loop': [100] },
    start: { ours: [1.3] },
  });
  for (const goal of [smaller, larger, alone]) assert.equal(isMissed(goal, missed), true, goal.figure);
});

test('a goal is missed if the product or its peer was not measured', () => {
  assert.equal(isMissed(smaller, fill({ import: { exceljs: [10] } })), true);
  assert.equal(isMissed(smaller, fill({ import: { ours: [1] } })), true);
  assert.equal(isMissed({ ...smaller, goal: undefined }, fill({})), false);
});

test('the table has the minimum, the median, the spread and the other release', () => {
  const figures = fill({ import: { ours: [4, 3, 5], exceljs: [10], beside: [9] } });
  const [head, , row] = formatTable([smaller], figures, true).split('\n');
  assert.match(head ?? '', /Beside, median \(ratio\)/);
  assert.match(
    row ?? '',
    /import, s +\| 3.0 \/ 4.0 +\| 50 % +\| exceljs 10 \/ 10 +\| 0.40 +\| ≤ 0.4 +\| met +\| 9.0 \(0.90\)/,
  );
});

test('each row of the table is listed once', () => {
  const names = Object.values(goals).flatMap((list) => list.map(({ figure, peer }) => `${figure} ${peer}`));
  assert.equal(new Set(names).size, names.length);
});
