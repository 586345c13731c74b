import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser } from '#tests/support/api/factories.ts';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { startSmtp } from '#tests/support/mail/smtp-server.ts';
import { Stop } from '../processes/stop.ts';
import { runAdmin } from './admin-commands.ts';

let folder: string;
let api: TestApi;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-admin-'));
  api = await createTestApi();
});
after(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Runs a command. @returns what it printed, and the message of its failure */
async function run(args: string[], env: Record<string, string> = {}) {
  const lines: string[] = [];
  const stop = new Stop();
  const config = parseConfig({
    DATA_DIR: folder,
    DATABASE_URL: api.context.databaseUrl,
    MIN_FREE_MB: '0',
    ...env,
  });
  let failure: string | undefined;
  try {
    await runAdmin({
      config,
      log: createLog('test', 'silent'),
      stop,
      args,
      print: (line) => lines.push(line),
    });
  } catch (error) {
    failure = (error as Error).message;
  }
  return { lines, failure };
}
const levelsOf = (lines: string[]) =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, level, subject] = /^(ok|warning|error) +(\w+): /.exec(line) ?? [];
      return level && subject ? [[subject, level]] : [];
    }),
  );

test('doctor finds nothing wrong with a new product but the mail and the backup that it lacks', async () => {
  const { lines, failure } = await run(['doctor']);
  assert.equal(failure, undefined);
  assert.deepEqual(levelsOf(lines), {
    version: 'ok',
    disk: 'ok',
    sources: 'ok',
    mail: 'warning',
    database: 'ok',
    clock: 'ok',
    migrations: 'ok',
    secrets: 'ok',
    queue: 'ok',
    backup: 'warning',
  });
  const adviceOn = (printed: string[]) =>
    printed[printed.findIndex((line) => / backup: /.test(line)) + 1]?.trim();
  assert.match(adviceOn(lines) ?? '', /^Set BACKUP_DIR for one each day/);
  const made = await run(['doctor'], { BACKUP_DIR: join(folder, 'kept') });
  assert.equal(adviceOn(made.lines), 'The API process makes one each day: look into its log.');
});

test('doctor says what is wrong, and fails', async () => {
  const file = join(folder, 'sources.json');
  await writeFile(file, '{ "sources": [{ "name": "x" }] }');
  const closed = createServer();
  const port = await new Promise<number>((resolve) => {
    closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port));
  });
  await new Promise((resolve) => closed.close(resolve));
  await api.context.db.query(
    `INSERT INTO backups (kind, started_at, ended_at, error) VALUES ('scheduled', now(), now(), 'no room')`,
  );
  const broken = {
    SOURCES_FILE: file,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'a@example.test',
    MIN_FREE_MB: '1000000000',
  };
  const { lines, failure } = await run(['doctor'], broken);
  const levels = levelsOf(lines);
  assert.deepEqual(
    ['disk', 'sources', 'mail', 'backup'].map((subject) => levels[subject]),
    ['error', 'error', 'error', 'error'],
  );
  assert.equal(failure, '4 of 10 findings are errors');
  const nowhere = new URL(api.context.databaseUrl);
  nowhere.pathname = '/none';
  const away = await run(['doctor'], { DATABASE_URL: nowhere.href });
  assert.equal(levelsOf(away.lines).database, 'error');
  const missing = await run(['doctor'], { DATA_DIR: join(folder, 'missing') });
  const disk = missing.lines.findIndex((line) => line.startsWith('error    disk: ENOENT'));
  assert.equal(missing.lines[disk + 1]?.trim(), 'Check DATA_DIR.');
});

test('doctor advises on the last failed backup by who began it', async () => {
  const adviceOn = async (kind: string) => {
    await api.context.db.query(
      `INSERT INTO backups (kind, started_at, ended_at, error) VALUES ($1, now(), now(), 'no such folder')`,
      [kind],
    );
    const { lines } = await run(['doctor']);
    const place = lines.indexOf('error    backup: the last one failed: no such folder');
    return lines[place + 1]?.trim();
  };
  assert.equal(await adviceOn('command'), 'Run npm run backup again: check its file and the room there.');
  assert.equal(await adviceOn('scheduled'), 'Check BACKUP_DIR and its room.');
  assert.equal(await adviceOn('migration'), 'Check BACKUP_DIR and its room.');
});

test('doctor says how much room backups have, also before the first one', async () => {
  const backups = join(folder, 'backups', 'daily');
  const roomOf = async (env: Record<string, string>) =>
    (await run(['doctor'], env)).lines.flatMap((line, n, all) =>
      line.includes(' disk: ') && !line.endsWith(` in ${folder}/data`) ? [line, all[n + 1]?.trim()] : [],
    );
  const DATA_DIR = join(folder, 'data');
  await mkdir(DATA_DIR);
  const [before] = await roomOf({ DATA_DIR, BACKUP_DIR: backups });
  assert.match(
    before ?? '',
    new RegExp(`^ok +disk: \\d+ MB free in ${folder}; ${backups} does not exist yet$`),
  );
  await mkdir(backups, { recursive: true });
  const [full, advice] = await roomOf({ DATA_DIR, BACKUP_DIR: backups, MIN_FREE_MB: '1000000000' });
  assert.match(full ?? '', new RegExp(`^error +disk: \\d+ MB free in ${backups}$`));
  assert.equal(advice, 'Backups fail below 1000000000 MB (MIN_FREE_MB): make room.');
});

test('doctor says that the key cannot be read, and examines the rest', async () => {
  const looping = join(folder, 'looping');
  await mkdir(looping);
  // Nobody can open a link to itself, also not root.
  await symlink('secrets-key', join(looping, 'secrets-key'));
  const { lines, failure } = await run(['doctor'], { DATA_DIR: looping });
  const place = lines.findIndex((line) => line.startsWith('error    secrets: ELOOP: '));
  assert.equal(lines[place + 1]?.trim(), 'Check secrets-key in DATA_DIR.');
  assert.equal(levelsOf(lines).database, 'ok');
  assert.match(failure ?? '', /of 11 findings are errors$/);
});

test('doctor says that stored secrets were sealed with a key that is lost', async () => {
  const { db } = api.context;
  await db.query("INSERT INTO gsx_sessions (account, token) VALUES ('gsx', 'sealed.00000000.lost')");
  const { lines, failure } = await run(['doctor']);
  await db.query('DELETE FROM gsx_sessions');
  const place = lines.findIndex((line) =>
    line.startsWith('error    secrets: SECRETS_KEY lacks the key 00000000'),
  );
  assert.match(lines[place + 1] ?? '', /docs\/decisions\/014-secrets-at-rest\.md/);
  assert.match(failure ?? '', /findings are errors$/);
});

test('doctor says which file of a source cannot be read', async () => {
  const file = join(folder, 'unreadable.json');
  const private_key = join(folder, 'none.pem');
  const source = { name: 'business', kind: 'apple-business', client_id: 'one', key_id: 'one', private_key };
  await writeFile(file, JSON.stringify({ sources: [source] }));
  const { lines } = await run(['doctor'], { SOURCES_FILE: file });
  assert.ok(
    lines.includes('error    sources: SOURCES_FILE business.private_key: the file cannot be read (ENOENT)'),
    lines.join('\n'),
  );
});

test('doctor reaches the mail server and signs in there, as a mail does', async (t) => {
  const smtp = await startSmtp();
  t.after(() => smtp.close());
  const examineMail = async (server: string, env = {}) => {
    const SMTP_URL = `smtp://${server}:${smtp.port}`;
    const { lines } = await run(['doctor'], { SMTP_URL, MAIL_FROM: 'a@example.test', ...env });
    return lines.find((line) => line.includes('mail: ')) ?? '';
  };
  assert.match(await examineMail('127.0.0.1'), /^ok +mail: 127\.0\.0\.1 answers$/);
  // The system resolves this name to an address of this machine.
  const byName = await examineMail('2130706433');
  assert.match(byName, /^error +mail: 2130706433: .* is private; with ALLOW_PRIVATE_SMTP=1/);
  assert.match(await examineMail('2130706433', { ALLOW_PRIVATE_SMTP: '1' }), /^ok /);
  assert.match(await examineMail('user:wrong@127.0.0.1'), /^error +mail: Invalid login: /);
});

test('doctor reports a mail server that ends each connection', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@example.test' };
  assert.equal(levelsOf((await run(['doctor'], env)).lines).mail, 'error');
});

test('doctor says how many stored mails failed and are tried again', async (t) => {
  const { db } = api.context;
  const { id, companyCode } = await createUser(api);
  const ticket = await createTicketWithRows(api, { companyCode, createdBy: id, rows: [{}] });
  await db.query(
    "INSERT INTO ticket_mails (ticket_id, user_id, kind, attempts, next_at) VALUES ($1, $2, 'waiting', 2, 'infinity')",
    [ticket.id, id],
  );
  t.after(() => db.query('DELETE FROM ticket_mails'));
  const { lines } = await run(['doctor']);
  const place = lines.indexOf('warning  mail: 1 stored mails failed and are tried again');
  assert.match(lines[place + 1] ?? '', /The log of an API process says why/);
});

test('doctor says which source is blocked, why, and what to do', async () => {
  await api.context.db.query(
    `INSERT INTO sources (name, key, state, last_error) VALUES ('sandbox', 'key', 'auth', 'HTTP 401')
     ON CONFLICT (name) DO UPDATE SET state = excluded.state, last_error = excluded.last_error`,
  );
  const { lines } = await run(['doctor']);
  const place = lines.indexOf('error    source sandbox: refuses the account: HTTP 401');
  assert.equal(lines[place + 1]?.trim(), 'Check its token or certificate in SOURCES_FILE.');
  await api.context.db.query('UPDATE sources SET paused = true');
  assert.ok((await run(['doctor'])).lines.includes('warning  source sandbox: paused by hand'));
  await api.context.db.query('DELETE FROM sources');
});

test('doctor says that the sources cannot be read from the database', async (t) => {
  const { db } = api.context;
  await db.query('ALTER TABLE sources RENAME COLUMN last_error TO moved');
  t.after(() => db.query('ALTER TABLE sources RENAME COLUMN moved TO last_error'));
  const { lines } = await run(['doctor']);
  assert.ok(lines.includes('error    sources: column "last_error" does not exist'), lines.join('\n'));
});

test('doctor says that no worker runs, also while API processes of two versions run', async (t) => {
  const { db } = api.context;
  const { companyCode, id: createdBy } = await createUser(api);
  const ticket = await createTicketWithRows(api, { companyCode, createdBy, rows: [{}] });
  await db.query(
    `INSERT INTO lookup_jobs (company_code, ticket_id, lo, hi, is_recheck, queued_at)
     SELECT company_code, id, 1, 1, false, now() - interval '1 hour' FROM tickets WHERE id = $1`,
    [ticket.id],
  );
  await db.query(
    `INSERT INTO processes (id, kind, host, pid, sources, fingerprints, version)
     SELECT gen_random_uuid(), 'api', 'one', 1, '{}', '{}', version FROM unnest(ARRAY['1', '2']) AS version`,
  );
  t.after(() => db.query('DELETE FROM processes; DELETE FROM lookup_jobs'));
  const { lines, failure } = await run(['doctor']);
  const versions = lines.indexOf('warning  processes: the versions 1 and 2 run');
  assert.equal(lines[versions + 1]?.trim(), 'Finish the upgrade.');
  const queue = lines.findIndex((line) => line.startsWith('error    queue: '));
  assert.match(lines[queue + 1] ?? '', /No worker runs: look into the log/);
  assert.match(failure ?? '', /findings are errors$/);
});

test('reset-password prints a password that must be changed, and ends the sessions', async () => {
  const user = await createUser(api);
  const { lines, failure } = await run(['reset-password', user.email.toUpperCase()]);
  assert.equal(failure, undefined);
  const password = /: (\S{22})$/.exec(lines[0] ?? '')?.[1];
  assert.equal((await api.send('GET /api/tickets/last', { token: user.token })).statusCode, 401);
  const old = await api.send('POST /api/auth/login', {
    body: { email: user.email, password: user.password },
  });
  assert.equal(old.statusCode, 401);
  const answer = await api.send('POST /api/auth/login', { body: { email: user.email, password } });
  assert.equal(answer.statusCode, 200, answer.body);
  const claims = JSON.parse(Buffer.from(answer.json().token.split('.')[1], 'base64url').toString());
  assert.equal(claims.new_user, '1');
  const { rows } = await api.context.db.query(
    "SELECT actor_id, object_id, after FROM audit_log WHERE action = 'user.password'",
  );
  assert.deepEqual(rows, [
    { actor_id: null, object_id: String(user.id), after: { new_user: '1', by: 'operator' } },
  ]);
  assert.match(
    (await run(['reset-password', 'nobody@example.test'])).failure ?? '',
    /^No user has the email address/,
  );
  assert.match((await run(['rename'])).failure ?? '', /^usage: /);
});

test('reset-password refuses a database that was not migrated to this version', async (t) => {
  const database = await createTestDatabase();
  t.after(() => database.close());
  await database.pool.query(
    'DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)',
  );
  const { failure } = await run(['reset-password', 'a@example.test'], { DATABASE_URL: database.url });
  assert.match(failure ?? '', /^The database is older than this version of Coverdesk: start Coverdesk, /);
});

test('reset-second-factor removes the second factor of a user, or says that there is none', async () => {
  const { id, email } = await createUser(api);
  const { failure } = await run(['reset-second-factor', email]);
  assert.equal(failure, `${email} has no second factor`);
  await api.context.db.query('UPDATE users SET second_factor = true WHERE id = $1', [id]);
  const { lines } = await run(['reset-second-factor', email]);
  assert.deepEqual(lines, [`The second factor of ${email} is removed. All sessions of the user have ended.`]);
  const unknown = await run(['reset-second-factor', 'nobody@example.test']);
  assert.match(unknown.failure ?? '', /^No user has the email address/);
});
