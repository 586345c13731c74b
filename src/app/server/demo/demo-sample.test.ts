import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deviceOf } from '#features/sources/server/sandbox/devices.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { readIdentifiers } from '#shared/identifier.ts';
import { writeSample } from './demo-sample.ts';

test('the models of the sample are those that the sandbox answers', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-sample-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'sample.xlsx');
  await writeSample(file);
  let compared = 0;
  await readSheet(file, { columns: 2, maxRows: 1000 }, async (rows) => {
    for (const { cells } of rows) {
      const [cell, model] = cells;
      const reading = cell && readIdentifiers(cell);
      if (reading?.kind !== 'identifiers' || !model) continue;
      const device = deviceOf(reading.identifiers[0]?.serial ?? '');
      if (!device) continue;
      compared += 1;
      assert.equal(model.text, device.model, cell?.text);
    }
  });
  assert.ok(compared > 200, String(compared));
});
