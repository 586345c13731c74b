import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { examine } from './doctor.ts';

/** The messages AuthenticationOk and ReadyForQuery of PostgreSQL's protocol. */
const started = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');

test('examine keeps its findings when the database ends the connection at the first question', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-doctor-'));
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(started);
      socket.once('data', () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  t.after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const DATABASE_URL = `postgres://user@127.0.0.1:${port}/coverdesk`;
  const config = parseConfig({ DATA_DIR: folder, DATABASE_URL, MIN_FREE_MB: '0' });

  const findings = await examine(config, async () => DATABASE_URL);

  const database = findings.find(({ subject }) => subject === 'database');
  assert.equal(database?.level, 'error');
  assert.equal(database?.advice, 'Check DATABASE_URL and the server.');
  assert.equal(findings.find(({ subject }) => subject === 'disk')?.level, 'ok');
});
