import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';

const alertsFile = fileURLToPath(new URL('../../../../docs/monitoring/alerts.yml', import.meta.url));
const dashboardFile = new URL('../../../../docs/monitoring/dashboard.json', import.meta.url);
let api: TestApi;
before(async () => {
  // An API with a replica exposes what is said about it, although nothing listens there.
  const none = 'postgres://127.0.0.1:1/none';
  api = await createTestApi({ DATABASE_URL: none, DATABASE_READ_URL: none });
});
after(() => api.close());

/** Returns the queries of the dashboard and of the alert rules. */
function readQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(dashboardFile, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const rules = readFileSync(alertsFile, 'utf8').split('- alert:').slice(1);
  const expressions = rules.map((rule) => /expr:([\s\S]*?)\n +(?:for|labels):/.exec(rule)?.[1] ?? '');
  return [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...expressions];
}

/** Returns the labels of each exposed series. */
async function readSeries(): Promise<Map<string, Set<string>>> {
  await createUser(api);
  await api.context.db.query("INSERT INTO call_totals VALUES ('shop', 'found', 1)");
  const { body } = await api.send('GET /metrics');
  const series = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of body.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
}

/** The labels that Prometheus adds. */
const added = ['instance', 'job'];

test('every query of the alert rules and the dashboard names exposed metrics and labels', async () => {
  const series = await readSeries();
  const queries = readQueries();
  assert.ok(queries.length >= 18);
  for (const query of queries) {
    const names = [...query.matchAll(/\b(?:coverdesk|http|nodejs|process)_\w+|\bup\b/g)].map(
      ([name]) => name,
    );
    assert.ok(names.length > 0, query);
    const labels = new Set(added);
    for (const name of names.filter((one) => one !== 'up')) {
      const own = series.get(name);
      assert.ok(own, `${name} is not exposed: ${query}`);
      for (const label of own) labels.add(label);
    }
    const used = [
      ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
      ...[...query.matchAll(/(\w+)(?:=~|!~|=|!=)"/g)].map(([, label = '']) => label),
    ];
    for (const label of used) assert.ok(labels.has(label), `${label} is no label: ${query}`);
  }
});

test('promtool accepts the alert rules', (t) => {
  const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', alertsFile], {
    encoding: 'utf8',
  });
  if (error) return t.skip('promtool is not installed: it comes with the Debian package prometheus');
  assert.equal(status, 0, stderr);
});
