import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openProxy, sealProxy } from '#features/proxies/server/proxy-secrets.service.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';
import { Stop } from '../processes/stop.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { readOrCreateSecret } from './secret.ts';

const proxy = 'http://me:hush-hush@203.0.113.9:8080';

test('rotate-secrets seals stored secrets with a new key that replaces the old one', async (context) => {
  const { folder, storedUrl, rotate } = await prepareFolder(context);
  const before = await storedUrl();

  assert.deepEqual(await rotate(), ['1 stored secrets were sealed by the new key']);
  assert.notEqual(await storedUrl(), before);
  const kept = await readFile(join(folder, 'secrets-key'), 'utf8');
  assert.equal((await stat(join(folder, 'secrets-key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['secrets-key']);
  assert.equal(process.env.SECRETS_KEY, kept);
  delete process.env.SECRETS_KEY_OLD;
  assert.equal(openProxy(await storedUrl()), proxy);
  assert.throws(() => openProxy(before), /SECRETS_KEY lacks the key/);
});

test('rotate-secrets also rotates after an interrupted rotation, wherever that ended', async (context) => {
  const { folder, storedUrl, rotate } = await prepareFolder(context);
  const [file, oldFile] = [join(folder, 'secrets-key'), join(folder, 'secrets-key-old')];
  const interruptions = [
    () => copyFile(file, oldFile),
    () => rename(file, oldFile),
    async () => {
      await rename(file, oldFile);
      await readOrCreateSecret(folder, 'secrets-key');
    },
  ];
  for (const interrupt of interruptions) {
    await interrupt();
    const left = await Promise.all([file, oldFile].map((path) => readFile(path, 'utf8').catch(() => '')));
    assert.deepEqual(await rotate(), ['1 stored secrets were sealed by the new key']);
    assert.ok(!left.includes(await readFile(file, 'utf8')));
    assert.deepEqual(await readdir(folder), ['secrets-key']);
    delete process.env.SECRETS_KEY_OLD;
    assert.equal(openProxy(await storedUrl()), proxy);
  }
});

/** Makes a data folder with a key, and a database with a proxy that is sealed by it. */
async function prepareFolder(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-rotate-'));
  const database = await createTestDatabase();
  const { SECRETS_KEY } = process.env;
  context.after(async () => {
    process.env.SECRETS_KEY = SECRETS_KEY;
    delete process.env.SECRETS_KEY_OLD;
    await database.close();
    await rm(folder, { recursive: true });
  });
  process.env.SECRETS_KEY = await readOrCreateSecret(folder, 'secrets-key');
  await storeProxySet(database.pool, 'set', [sealProxy(proxy)]);
  const rotate = async () => {
    const lines: string[] = [];
    const stop = new Stop();
    await rotateSecrets({
      config: parseConfig({ DATA_DIR: folder, DATABASE_URL: database.url }),
      log: createLog('test', 'silent'),
      stop,
      print: (line) => lines.push(line),
    });
    assert.equal(await stop.requested, 'gently');
    return lines;
  };
  const storedUrl = async () => (await database.pool.query('SELECT url FROM proxies')).rows[0].url;
  return { folder, rotate, storedUrl };
}
