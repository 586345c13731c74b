import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sheetFailure } from '#server/sheet/sheet-failure.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { waitFor } from '#tests/support/wait.ts';
import { IdempotentUpload, uploadKeyOf } from './idempotent-upload.ts';
import { findStoredAnswer } from './uploads.queries.ts';

const serials = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `C${10_000_000 + from + i}`);
const sheet = makeWorkbook(serials(5));
const otherSheet = makeWorkbook(serials(5, 100));

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = (key: string, content: Buffer, send: Send = {}) =>
  uploadSheet(api, user, content, { headers: { 'idempotency-key': key }, ...send });
const progress = (key: string, token = user.token) => api.send(`GET /api/data/upload/${key}`, { token });
const countTickets = async () => {
  const { rowCount } = await api.context.db.query('SELECT FROM tickets WHERE company_code = $1', [
    user.companyCode,
  ]);
  return rowCount;
};

describe('an upload under an Idempotency-Key', () => {
  test('every repeat under a key gets the answer of the first upload, and one ticket is created', async () => {
    const first = await upload('a', sheet);
    const second = await upload('a', sheet, {
      headers: { 'idempotency-key': 'a', 'accept-language': 'id' },
    });
    assert.equal(first.statusCode, 201);
    assert.equal(second.statusCode, 201);
    assert.deepEqual(second.json(), first.json());
    assert.equal(await countTickets(), 1);
  });

  test('concurrent repeats under a key create one ticket', async () => {
    const large = makeWorkbook(serials(20_000));
    const answers = await Promise.all([upload('b', large), upload('b', large), upload('b', large)]);
    const [first] = answers;
    for (const answer of answers) {
      assert.equal(answer.statusCode, 201);
      assert.deepEqual(answer.json(), first?.json());
    }
    assert.equal(await countTickets(), 1);
  });

  test('a repeat waits for the first answer without the slot of the user', async () => {
    const { db } = api.context;
    const [serial = '', other = ''] = serials(2);
    const send = (key: string, text: string) =>
      api.send('POST /api/data/serials', {
        token: user.token,
        headers: { 'idempotency-key': key },
        body: { serials: [text] },
      });
    const holder = await db.connect();
    try {
      const running = new IdempotentUpload(holder, user, 'w');
      const list = { kind: 'texts' as const, texts: [serial] };
      const choices = { ownKey: null, ticketNumber: null, freshDays: null, askAgain: false };
      await running.findFirstAnswer({ source: list, companyCode: '', ...choices });
      const repeat = send('w', serial);
      const another = await send('w2', other);
      assert.equal(another.statusCode, 201);
      await running.storeAnswer(another.json(), 1);
      holder.release(true);
      assert.deepEqual((await repeat).json(), another.json());
    } catch (error) {
      holder.release(true);
      throw error;
    }
  });

  test('another file under the same key is refused, and the first answer is kept', async () => {
    const [first, other] = [await upload('c', sheet), await upload('c', otherSheet)];
    assert.deepEqual([other.statusCode, other.json().code], [422, 'idempotency_key_taken']);
    assert.deepEqual((await upload('c', sheet)).json(), first.json());
    assert.equal(await countTickets(), 1);
  });

  test('an unusable file is refused again under its key', async () => {
    const bad = makeWorkbook(['bad']);
    const [first, second] = [await upload('d', bad), await upload('d', bad)];
    assert.equal(first.statusCode, 422);
    assert.deepEqual([second.statusCode, second.json()], [422, first.json()]);
    assert.equal((await upload('d', sheet)).json().code, 'idempotency_key_taken');
  });

  test('the same file for another ticket under the same key is refused', async () => {
    const admin = await createUser(api, { superadmin: true });
    const order = await api.send('POST /api/tickets', {
      token: admin.token,
      body: { data_count: 5, company_code: user.companyCode },
    });
    const fields = { ticket_number: order.json().ticket.ticket_number };
    const first = await upload('q', sheet, { fields, ...withFile(sheet) });
    assert.equal(first.json().ticket.ticket_number, fields.ticket_number);
    assert.deepEqual((await upload('q', sheet, { fields, ...withFile(sheet) })).json(), first.json());
    assert.equal((await upload('q', sheet)).json().code, 'idempotency_key_taken');
  });

  test('a key may be used again after a failure that the file did not cause', async () => {
    const fields = { ticket_number: '424242' };
    assert.equal((await upload('e', sheet, { fields, ...withFile(sheet) })).statusCode, 404);
    assert.equal((await upload('e', sheet)).statusCode, 201);
  });

  test('a key may be used again after a failure of the database', async () => {
    const { db } = api.context;
    const holder = await db.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE serials IN ACCESS EXCLUSIVE MODE');
      // More rows than fit the buffers, so that the reader waits for the database.
      const large = makeWorkbook(serials(20_000));
      const failed = upload('x', large);
      await waitFor('the import to wait for the table', async () => {
        const { rowCount } = await db.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
             AND application_name = 'coverdesk import' AND wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      });
      const answer = await failed;
      assert.deepEqual([answer.statusCode, answer.json().code], [503, 'unavailable']);
      assert.equal((await progress('x')).json().phase, 'failed');
      await holder.query('ROLLBACK');
      assert.equal((await upload('x', large)).statusCode, 201);
    } finally {
      holder.release(true);
    }
  });

  test('a key may be used again when reading took too long', async () => {
    const file = fileURLToPath(import.meta.url);
    const first = new IdempotentUpload(api.context.db, user, 'y');
    const source = {
      kind: 'file',
      path: file,
      sheet: null,
      column: null,
      corrections: null,
      fields: null,
    } as const;
    const choices = {
      companyCode: 'ACM001',
      ownKey: null,
      ticketNumber: null,
      freshDays: null,
      askAgain: false,
    };
    assert.equal(await first.findFirstAnswer({ source, ...choices }), undefined);
    await first.storeFailure(sheetFailure('slow', 1), 'en');
    assert.equal(await findStoredAnswer.first(api.context.db, uploadKeyOf(user, 'y')), undefined);
    await first.storeFailure(sheetFailure('bomb', 1), 'en');
    assert.equal((await findStoredAnswer.first(api.context.db, uploadKeyOf(user, 'y')))?.status, 422);
  });

  test('a key belongs to its user, and is deleted after a day', async () => {
    const first = await upload('f', sheet);
    const colleague = await createUser(api, { companyCode: user.companyCode });
    assert.equal((await upload('f', otherSheet, { token: colleague.token })).statusCode, 201);
    await api.context.db.query(`UPDATE uploads SET created_at = now() - interval '24 hours 1 second'`);
    assert.equal((await progress('f')).statusCode, 404);
    const later = await upload('f', otherSheet);
    assert.equal(later.statusCode, 201);
    assert.notEqual(later.json().ticket._id, first.json().ticket._id);
  });

  test('answers are deleted after a day also if nobody uploads again', async () => {
    const { db, databaseUrl: url } = api.context;
    await upload('u', sheet);
    await upload('v', sheet);
    await db.query(`UPDATE uploads SET created_at = now() - interval '24 hours 1 second' WHERE key = 'u'`);
    const restarted = await createTestApi({}, undefined, { db, url, close: async () => undefined });
    try {
      await restarted.app.ready();
      await waitFor('the old answer to be deleted', async () => {
        const { rows } = await db.query('SELECT key FROM uploads WHERE user_id = $1', [user.id]);
        return rows.length === 1 && rows[0].key === 'v';
      });
    } finally {
      await restarted.close();
    }
  });

  test('a user who got another company gets no answer of the former one under its key', async () => {
    const first = await upload('z', sheet);
    const other = await createUser(api);
    await api.context.db.query('UPDATE users SET company_code = $2 WHERE id = $1', [
      user.id,
      other.companyCode,
    ]);
    assert.equal((await progress('z')).statusCode, 404);
    const second = await upload('z', sheet);
    assert.equal(second.statusCode, 201);
    assert.equal(second.json().ticket.company_code, other.companyCode);
    assert.notEqual(second.json().ticket.ticket_number, first.json().ticket.ticket_number);
  });

  test('a repeat starts again when the process died during the first upload', async () => {
    await api.context.db.query(
      `INSERT INTO uploads (user_id, company_code, key, phase, rows, file_hash) VALUES ($1, $2, 'g', 'reading', 17, '\\x00')`,
      [user.id, user.companyCode],
    );
    assert.equal((await upload('g', sheet)).statusCode, 201);
    assert.equal(await countTickets(), 1);
  });

  test('the day of an answer begins with its upload, not with one that failed before', async () => {
    const { db } = api.context;
    await db.query(
      `INSERT INTO uploads (user_id, company_code, key, phase, file_hash, created_at)
       VALUES ($1, $2, 's', 'reading', '\\x00', now() - interval '23 hours 59 minutes')`,
      [user.id, user.companyCode],
    );
    const first = await upload('s', sheet);
    assert.equal(first.statusCode, 201, first.body);
    await db.query("UPDATE uploads SET created_at = created_at - interval '2 minutes' WHERE key = 's'");
    assert.deepEqual((await upload('s', sheet)).json(), first.json());
    assert.equal(await countTickets(), 1);
  });

  test('an upload with a key that is too long is refused', async () => {
    const answer = await upload('k'.repeat(201), sheet);
    assert.deepEqual([answer.statusCode, answer.json().details[0].path], [400, 'idempotency-key']);
  });
});

describe('GET /data/upload/{key}', () => {
  test('the progress call reports the end of an upload', async () => {
    await upload('h', sheet);
    assert.deepEqual((await progress('h')).json(), { phase: 'done', rows: 5 });
    await upload('i', makeWorkbook(['bad']));
    assert.equal((await progress('i')).json().phase, 'failed');
    await upload('j', sheet, { body: {} });
    assert.equal((await progress('j')).json().phase, 'done');
  });

  test('the progress call reports the end of the first upload after a refused repeat', async () => {
    await upload('o', sheet);
    assert.equal((await upload('o', otherSheet)).statusCode, 422);
    assert.deepEqual((await progress('o')).json(), { phase: 'done', rows: 5 });
    const withoutFile = { token: user.token, headers: { 'idempotency-key': 'o' } };
    assert.equal((await api.send('POST /api/data/upload', withoutFile)).statusCode, 400);
    assert.deepEqual((await progress('o')).json(), { phase: 'done', rows: 5 });
  });

  test('the progress call reports an import as failed whose process died, and not because a repeat was refused', async () => {
    const holder = await api.context.db.connect();
    try {
      const running = new IdempotentUpload(holder, user, 'r');
      const texts = { kind: 'texts' as const, texts: serials(1) };
      const choices = { ownKey: null, ticketNumber: null, freshDays: null, askAgain: false };
      await running.findFirstAnswer({ source: texts, companyCode: '', ...choices });
      await running.noteProgress({ phase: 'saving', rows: 1 });
      const repeat = { token: user.token, headers: { 'idempotency-key': 'r' } };
      assert.equal((await api.send('POST /api/data/upload', repeat)).statusCode, 400);
      assert.deepEqual((await progress('r')).json(), { phase: 'saving', rows: 1 });
    } finally {
      holder.release(true);
    }
    await waitFor('the end of the connection', async () => (await progress('r')).json().phase === 'failed');
  });

  test('the progress call reports the progress of a running upload', async () => {
    const phases = new Set<string>();
    let ended = false;
    const running = upload('l', makeWorkbook(serials(100_000))).finally(() => {
      ended = true;
    });
    await waitFor('the upload to end', async () => {
      const answer = await progress('l');
      if (answer.statusCode === 200) phases.add(answer.json().phase);
      return ended;
    });
    assert.equal((await running).statusCode, 201);
    assert.ok(phases.has('reading'), [...phases].join());
    assert.deepEqual((await progress('l')).json(), { phase: 'done', rows: 100_000 });
  });

  test('the progress call waits for an upload that begins a moment later', async () => {
    const asked = progress('p');
    await delay(300);
    await upload('p', sheet);
    assert.equal((await asked).statusCode, 200);
  });

  test('the progress call reports only the uploads of the caller', async () => {
    await upload('m', sheet);
    const other = await createUser(api);
    assert.equal((await progress('m', other.token)).statusCode, 404);
    assert.equal((await progress('n')).statusCode, 404);
    const superadmin = await createUser(api, { superadmin: true });
    assert.equal((await progress('m', superadmin.token)).statusCode, 403);
  });
});

function withFile(content: Buffer): Send {
  return { file: { field: 'excel', name: 'sheet.xlsx', content } };
}
