import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDayStyles } from './day-styles.ts';

test('an alternative style counts once, so later styles keep their numbers', async () => {
  const xml = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">
    <cellXfs><xf numFmtId="0"/><mc:AlternateContent><mc:Choice Requires="x14"><xf numFmtId="14"/></mc:Choice>
    <mc:Fallback><xf numFmtId="0"/></mc:Fallback></mc:AlternateContent><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`;
  async function* pieces() {
    yield Buffer.from(xml);
  }
  assert.deepEqual(await readDayStyles({ pieces: pieces(), maxMarkup: 100 }), new Set(['1', '3']));
});
