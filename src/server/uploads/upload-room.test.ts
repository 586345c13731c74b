import assert from 'node:assert/strict';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { UploadRoom } from './upload-room.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());
beforeEach(() => database.db.query('TRUNCATE held_shares'));

const megabyte = 1024 * 1024;
const makeRoom = (more: { MAX_UPLOAD_MB?: number; MIN_FREE_MB?: number } = {}) =>
  new UploadRoom({ DATA_DIR: tmpdir(), MAX_UPLOAD_MB: 1, MIN_FREE_MB: 0, ...more });
/** Creates a user with their own company. */
const userOf = (id: number, companyCode = `ACM00${id}`) => ({ id, companyCode, superadmin: false });
const tooMany = { code: 'too_many_uploads', status: 429, retryAfterSeconds: 30 };
const full = { code: 'no_room', status: 507 };

test('one company may upload four files of the maximum size at once', async () => {
  const room = makeRoom();
  for (const id of [1, 1, 2, 2]) await room.enter(database.db, userOf(id, 'ACM001'), megabyte);
  await assert.rejects(room.enter(database.db, userOf(3, 'ACM001'), 1), tooMany);
  await room.enter(database.db, userOf(4, 'OTH001'), megabyte);
});

test('an upload without a Content-Length reserves the maximum size', async () => {
  const room = makeRoom();
  await room.enter(database.db, userOf(1), undefined);
  const leave = await room.enter(database.db, userOf(1), undefined);
  await assert.rejects(room.enter(database.db, userOf(1), 1), tooMany);
  await leave();
  await room.enter(database.db, userOf(1), megabyte);
});

test('an upload is refused if it would leave less than the minimum of free space', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const beyond = Math.ceil((2 * bavail * bsize) / megabyte);
  await assert.rejects(makeRoom({ MIN_FREE_MB: beyond }).enter(database.db, userOf(1), 1), full);
  const room = makeRoom({ MAX_UPLOAD_MB: beyond });
  await assert.rejects(room.enter(database.db, userOf(1), beyond * megabyte), full);
  // A refused upload reserves no space.
  await room.enter(database.db, userOf(1), 1);
});

test('two API processes count the uploads of a user together', async () => {
  const [first, second] = [makeRoom(), makeRoom()];
  await first.enter(database.db, userOf(1), megabyte);
  const leave = await second.enter(database.db, userOf(1), megabyte);
  await assert.rejects(first.enter(database.db, userOf(1), 1), tooMany);
  await leave();
  await first.enter(database.db, userOf(1), megabyte);
});

test('two API processes on one disk together leave the minimum of free space', async () => {
  const { bavail, bsize } = await statfs(tmpdir());
  const most = Math.ceil((0.6 * bavail * bsize) / megabyte);
  const [first, second] = [makeRoom({ MAX_UPLOAD_MB: most }), makeRoom({ MAX_UPLOAD_MB: most })];
  const leave = await first.enter(database.db, userOf(1), undefined);
  await assert.rejects(second.enter(database.db, userOf(2), undefined), full);
  await leave();
  await second.enter(database.db, userOf(2), undefined);
});
