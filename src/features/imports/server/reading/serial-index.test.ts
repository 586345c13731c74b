import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SerialIndex } from './serial-index.ts';

test('answers as a Map of first rows would, for any serials', () => {
  const serial = fc.oneof(
    fc.stringMatching(/^[0-9A-Z]{8,15}$/),
    // Many that differ in one place only, so that neighbours in the table meet.
    fc.integer({ min: 0, max: 3000 }).map((n) => String(350000000000000 + n)),
    fc.constantFrom('00000000A', '0000000A', '000000000A0', 'A0000000', 'A00000000'),
  );
  fc.assert(
    fc.property(fc.array(serial, { maxLength: 5000, size: 'max' }), (serials) => {
      const index = new SerialIndex();
      const rows = new Map<string, number>();
      serials.forEach((value, i) => {
        assert.equal(index.add(value, i + 1), rows.get(value));
        if (!rows.has(value)) rows.set(value, i + 1);
      });
    }),
    { numRuns: 30 },
  );
});
