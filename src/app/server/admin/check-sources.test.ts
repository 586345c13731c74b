import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createAuthority } from '#tests/support/sources/certificates.ts';
import { gsxAccount } from '#tests/support/sources/gsx-stand-in.ts';
import { Stop } from '../processes/stop.ts';
import { runSourcesCheck } from './check-sources.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-sources-check-'));
});
after(() => rm(folder, { recursive: true }));

/** Checks a file with these sources. @returns what was printed, and the lines of the failure */
async function check(sources: object[]) {
  const file = join(folder, 'sources.json');
  await writeFile(file, JSON.stringify({ sources }));
  const lines: string[] = [];
  let failure: string[] = [];
  try {
    await runSourcesCheck({
      // Neither a database nor a data folder is there.
      config: parseConfig({
        SOURCES_FILE: file,
        DATA_DIR: join(folder, 'none'),
        DATABASE_URL: 'postgres://127.0.0.1:1/x',
      }),
      log: createLog('test', 'silent'),
      stop: new Stop(),
      args: [],
      print: (line) => lines.push(line),
    });
  } catch (error) {
    failure = (error as Error).message.split('\n');
  }
  return { lines, failure };
}

const request = { url: 'https://devices.example/{serial}' };
const gsxEntry = (client_cert: string) => ({
  ...gsxAccount,
  name: 'gsx',
  kind: 'gsx',
  client_cert,
  client_key: join(folder, 'client.key'),
});
const shop = { name: 'shop', kind: 'http', request, fields: { type: 'body.model' } };

test('each source is listed, with the end of its client certificate', async () => {
  const { cert, key } = createAuthority('Vendor').issue('gsx client');
  const gsx = gsxEntry(join(folder, 'client.pem'));
  await writeFile(gsx.client_cert, cert);
  await writeFile(gsx.client_key, key);
  const { lines, failure } = await check([shop, { ...shop, name: 'later', enabled: false }, gsx]);
  assert.deepEqual(failure, []);
  assert.deepEqual(lines.slice(0, 2), ['enabled   shop (http)', 'disabled  later (http)']);
  assert.match(lines[2] ?? '', /^enabled {3}gsx \(gsx\), client certificate until 20\d\d-/);
});

test('every mistake is one line that names its place, and no enabled source is said', async () => {
  const mistaken = [{ ...shop, kind: 'https' }, { ...shop, attempts: 0 }, shop, shop];
  const { failure } = await check(mistaken);
  assert.deepEqual(
    failure.map((line) => line.split(':')[0]),
    ['SOURCES_FILE sources[0].kind', 'SOURCES_FILE sources[1].attempts', 'SOURCES_FILE sources[1].name'],
  );
  const off = await check([{ ...shop, enabled: false }]);
  assert.deepEqual(off.lines.at(-1), 'No source is enabled: rows would wait.');
});

test('a file of an enabled source that the start could not read is a mistake', async () => {
  const cert = join(folder, 'own.pem');
  await writeFile(cert, createAuthority('Vendor').issue('gsx client').cert);
  const none = join(folder, 'none.pem');
  const business = {
    name: 'business',
    kind: 'apple-business',
    client_id: 'BUSINESSAPI.one',
    key_id: 'one',
    private_key: none,
  };
  const { failure } = await check([
    gsxEntry(none),
    { ...gsxEntry(cert), name: 'second', client_key: none },
    business,
    { ...business, name: 'later', enabled: false },
  ]);
  assert.deepEqual(failure, [
    'SOURCES_FILE gsx.client_cert: the file cannot be read (ENOENT)',
    'SOURCES_FILE second.client_key: the file cannot be read (ENOENT)',
    'SOURCES_FILE business.private_key: the file cannot be read (ENOENT)',
  ]);
});
