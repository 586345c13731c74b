import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { downloadAudit } from '#features/audit/audit.contract.ts';
import { nameField } from '#features/audit/audit-words.shared.ts';
import { textOf } from '#features/audit/describe-entry.shared.ts';
import { downloadDevices } from '#features/devices/devices.contract.ts';
import { downloadRecheckChanges } from '#features/rechecks/rechecks.contract.ts';
import { downloadResults, downloadTicketChanges } from '#features/results/results.contract.ts';
import * as format from '#web/format/format.ts';

test('the audit log names every filter of an export, and every choice of it', () => {
  const downloads = [downloadResults, downloadTicketChanges, downloadDevices, downloadRecheckChanges];
  for (const { route, query } of [...downloads, downloadAudit]) {
    const { properties = {} } = z.toJSONSchema(query as z.ZodType, { io: 'input', unrepresentable: 'any' });
    assert.ok(Object.keys(properties).length > 0, route);
    for (const [field, schema] of Object.entries(properties)) {
      assert.notEqual(nameField(field), field, `${route}: ${field}`);
      const choices = typeof schema === 'object' ? (schema.enum ?? []) : [];
      for (const choice of choices.map(String))
        assert.notEqual(textOf(field, choice, format), choice, `${route}: ${field}=${choice}`);
      if (JSON.stringify(schema).includes('"format":"date"'))
        assert.equal(textOf(field, '2026-11-26', format), 'Nov 26, 2026', `${route}: ${field}`);
    }
  }
});
