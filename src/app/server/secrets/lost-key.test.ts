import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openDb } from '#server/db/connection/open-db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';
import { requireOpenableSecrets } from './reseal-secrets.ts';

const page = new URL('../../../../docs/decisions/014-secrets-at-rest.md', import.meta.url);

test('the statements for a lost key remove every secret that no key opens', async (context) => {
  const [, statements = ''] =
    /\*\*If the key is lost\*\*[^`]*`([^`]+)`/.exec(await readFile(page, 'utf8')) ?? [];
  assert.match(statements, /DELETE/);
  const database = await createTestDatabase();
  const db = openDb(database.url, createLog('test', 'silent'), 1);
  context.after(async () => {
    await db.end();
    await database.close();
  });
  const lost = 'sealed.00000000.lost';
  await storeProxySet(database.pool, 'set', [`http://me:${lost}@203.0.113.9:8080`]);
  await database.pool.query(`
    INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001');
    INSERT INTO users (first_name, last_name, email, password_hash, role, new_user, company_code)
      VALUES ('Ann', 'Lee', 'ann@acme.example', '', 'user', false, 'ACM001');
    INSERT INTO gsx_sessions (account, token) VALUES ('gsx', '${lost}');
    INSERT INTO apple_tokens (account, token) VALUES ('apple', '${lost}');
    INSERT INTO second_factors (user_id, secret) SELECT id, '${lost}' FROM users;
    INSERT INTO watches (company_code, secret, secret_hash) VALUES ('ACM001', '${lost}', '');
    INSERT INTO webhooks (company_code, url, events, secret, old_secret, old_secret_until, active, language)
      VALUES ('ACM001', 'https://acme.example', '{}', '${lost}', '${lost}', now(), true, 'en')`);
  await assert.rejects(requireOpenableSecrets(db), /SECRETS_KEY lacks the key/);
  await database.pool.query(statements);
  await requireOpenableSecrets(db);
});
