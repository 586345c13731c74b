import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openProxy, sealProxy } from '#features/proxies/server/proxy-secrets.service.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { Vault } from '#server/vault/vault.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';
import { Stop } from '../processes/stop.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { readOrCreateSecret } from './secret.ts';

const proxy = 'http://me:hush-hush@203.0.113.9:8080';

test('rotate-secrets seals stored secrets with a new key that replaces the old one', async (context) => {
  const { folder, storedUrl, rotate } = await prepareFolder(context);
  const before = await storedUrl();
  const oldKey = await readFile(join(folder, 'secrets-key'), 'utf8');
  const oldName = `secrets-key-${new Vault(oldKey).keyId}`;

  assert.deepEqual(await rotate(), [
    '1 stored secrets were sealed by the new key',
    `Keep a copy of ${join(folder, 'secrets-key')} in another place`,
    `Backups made before need the old key: keep ${join(folder, oldName)} as long as them`,
  ]);
  assert.notEqual(await storedUrl(), before);
  const kept = await readFile(join(folder, 'secrets-key'), 'utf8');
  assert.equal((await stat(join(folder, 'secrets-key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['secrets-key', oldName]);
  assert.equal(await readFile(join(folder, oldName), 'utf8'), oldKey);
  assert.equal((await stat(join(folder, oldName))).mode & 0o777, 0o600);
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
    assert.equal((await rotate())[0], '1 stored secrets were sealed by the new key');
    assert.ok(!left.includes(await readFile(file, 'utf8')));
    const kept = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    assert.ok(left.every((key) => key === '' || kept.includes(key)));
    assert.ok(!(await readdir(folder)).includes('secrets-key-old'));
    delete process.env.SECRETS_KEY_OLD;
    assert.equal(openProxy(await storedUrl()), proxy);
  }
});

test('rotate-secrets to a configured key says that earlier backups need the old one', async (context) => {
  const { folder, rotate } = await prepareFolder(context);
  const SECRETS_KEY_OLD = await readFile(join(folder, 'secrets-key'), 'utf8');
  assert.deepEqual(await rotate({ SECRETS_KEY: 'another key of thirty-two bytes..', SECRETS_KEY_OLD }), [
    '1 stored secrets were sealed by the new key',
    'Unset SECRETS_KEY_OLD. Backups made before need that key: keep it as long as them',
  ]);
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
  const rotate = async (env: Record<string, string> = {}) => {
    const lines: string[] = [];
    const stop = new Stop();
    await rotateSecrets({
      config: parseConfig({ DATA_DIR: folder, DATABASE_URL: database.url, ...env }),
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
