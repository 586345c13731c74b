import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openProxy, sealProxy } from '#features/proxies/server/proxy-secrets.service.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';
import { Stop } from '../processes/stop.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { readOrMakeSecret } from './secret.ts';

test('rotate-secrets seals stored secrets with a new key that replaces the old one', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-rotate-'));
  const database = await createTestDatabase();
  const { SECRETS_KEY } = process.env;
  context.after(async () => {
    process.env.SECRETS_KEY = SECRETS_KEY;
    delete process.env.SECRETS_KEY_OLD;
    await database.close();
    await rm(folder, { recursive: true });
  });
  const proxy = 'http://me:hush-hush@203.0.113.9:8080';
  process.env.SECRETS_KEY = await readOrMakeSecret(folder, 'secrets-key');
  await storeProxySet(database.pool, 'set', [sealProxy(proxy)]);
  const storedUrl = async () => (await database.pool.query('SELECT url FROM proxies')).rows[0].url;
  const before = await storedUrl();

  const lines: string[] = [];
  const stop = new Stop();
  await rotateSecrets({
    config: parseConfig({ DATA_DIR: folder, DATABASE_URL: database.url }),
    log: createLog('test', 'silent'),
    stop,
    print: (line) => lines.push(line),
  });
  assert.equal(await stop.requested, 'gently');
  assert.deepEqual(lines, ['1 stored secrets were sealed by the new key']);
  assert.notEqual(await storedUrl(), before);
  const kept = await readFile(join(folder, 'secrets-key'), 'utf8');
  assert.equal((await stat(join(folder, 'secrets-key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['secrets-key']);
  assert.equal(process.env.SECRETS_KEY, kept);
  delete process.env.SECRETS_KEY_OLD;
  assert.equal(openProxy(await storedUrl()), proxy);
  assert.throws(() => openProxy(before), /SECRETS_KEY lacks the key/);
});
