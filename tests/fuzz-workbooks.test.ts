import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Reader } from '../scripts/fuzz/workbooks/reader.ts';
import { examine, fuzzWorkbooks } from '../scripts/fuzz/workbooks.ts';

const folder = fileURLToPath(new URL('cases/sheets', import.meta.url));
const foundBefore = new URL('cases/found/', import.meta.url);
/** On a crowded machine the same work takes up to three times the CPU time. */
const limits = { cpuMs: 6_000, megabytes: 300 };

let keep: string;
before(async () => {
  keep = await mkdtemp(join(tmpdir(), 'coverdesk-kept-'));
});
after(() => rm(keep, { recursive: true }));

test('fuzzed workbooks: mutants of every structure are read or refused within the limits of time and memory', async () => {
  const { ends, details } = await fuzzWorkbooks({ numRuns: 200, seed: 3, endOnFailure: true }, keep, limits);
  assert.equal(fc.defaultReportMessage(details), undefined);
  const levels = new Set([...ends.keys()].map((end) => end.split(':')[0]));
  assert.deepEqual([...levels].sort(), ['bytes', 'compound', 'records', 'xml', 'zip']);
  assert.ok((ends.get('xml: rows') ?? 0) > 10, 'some are read to their end');
  assert.ok((ends.get('xml: corrupt') ?? 0) > 10, 'some are refused');
});

test('fuzzed workbooks: exceeded limits are reported', async () => {
  const reader = new Reader();
  try {
    const { faults } = await examine(reader, join(folder, 'hucre.xlsx'), 1, { cpuMs: 0, megabytes: 1 });
    assert.match(faults.join('; '), /^\d+ MB; \d+ ms of work$/);
  } finally {
    await reader.close();
  }
});

test('fuzzed workbooks: earlier findings pass', async () => {
  const reader = new Reader();
  const files = (await readdir(foundBefore)).filter((file) => !file.endsWith('.md'));
  try {
    for (const file of files) {
      const path = fileURLToPath(new URL(file, foundBefore));
      assert.deepEqual((await examine(reader, path, 1, limits)).faults, [], file);
    }
  } finally {
    await reader.close();
  }
  assert.ok(files.length > 0);
});
