import type { Goal } from './support/figures.ts';

const exceljs = 'exceljs, streaming';
const smaller = { better: 'smaller' } as const;
const larger = { better: 'larger' } as const;

/** The rows of the table in docs/performance.md, by the module of `table/` that measures them. */
export const goals: Record<string, Goal[]> = {
  start: [
    { figure: 'start on an empty folder', unit: 's', ...smaller },
    { figure: 'warm start', unit: 's', ...smaller, goal: 1.2 },
  ],
  rest: [
    { figure: 'CPU of a core at rest', unit: '%', ...smaller, goal: 1 },
    { figure: 'memory at rest, with PostgreSQL', unit: 'MB', ...smaller, goal: 320 },
  ],
  refusal: [{ figure: 'refusal of 320 MB of texts in 3 MB', unit: 's', ...smaller, goal: 5 }],
  import: [
    { figure: 'import, CPU', unit: 's', peer: exceljs, ...smaller, goal: 0.4 },
    { figure: 'import, memory', unit: 'MB', peer: exceljs, ...smaller },
    { figure: 'import, CPU with PostgreSQL', unit: 's', peer: 'scan, keyed COPY', ...smaller, goal: 5 },
  ],
  lookup: [
    { figure: 'lookups', unit: '/s', peer: 'bare undici loop', ...larger, goal: 0.32 },
    { figure: 'lookups', unit: '/s', peer: 'BullMQ', ...larger, goal: 4 },
    { figure: 'own memory that lookups add', unit: 'MB', ...smaller, goal: 80 },
  ],
  reads: [
    { figure: 'pages of 50 per CPU s', unit: '', peer: 'bare route', ...larger, goal: 0.29 },
    { figure: 'pages of 1000 per CPU s', unit: '', peer: 'bare route', ...larger, goal: 0.5 },
    { figure: 'polls per CPU s', unit: '', peer: 'bare route', ...larger, goal: 0.22 },
    { figure: 'unchanged polls per CPU s', unit: '', peer: 'bare route', ...larger, goal: 0.22 },
  ],
  export: [
    { figure: '.xlsx export, CPU', unit: 's', peer: exceljs, ...smaller, goal: 0.65 },
    { figure: '.xlsx export, memory', unit: 'MB', peer: exceljs, ...smaller },
    { figure: '.xlsx export, first byte', unit: 's', ...smaller, goal: 0.5 },
    { figure: 'JSON export', unit: 's', peer: 'COPY row_to_json', ...smaller, goal: 1.6 },
    { figure: 'JSON export, first byte', unit: 's', ...smaller, goal: 0.5 },
    { figure: 'results in uploaded sheet, CPU', unit: 's', peer: exceljs, ...smaller, goal: 1 },
    { figure: 'results in uploaded sheet, memory', unit: 'MB', peer: exceljs, ...smaller },
  ],
};
