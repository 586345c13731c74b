import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { StartError } from '#server/runtime/start-error.ts';
import { claimPort, urlHost } from './port.ts';

test('port 0 becomes a free port outside the range for outgoing connections', async () => {
  const port = await claimPort('127.0.0.1', 0);
  assert.ok(port >= 1024 && port < 32_768, String(port));
  assert.equal(await claimPort('127.0.0.1', port), port);
});

test('a port in use and a host of another machine stop the start with an error that names the variable', async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(
    claimPort('127.0.0.1', port),
    new StartError(`PORT ${port} is in use by another program`),
  );
  await assert.rejects(claimPort('192.0.2.1', 0), /HOST takes an address of this machine/);
});

test('IPv6 addresses are in brackets', () => {
  assert.equal(urlHost('::1'), '[::1]');
  assert.equal(urlHost('[::1]'), '[::1]');
  assert.equal(urlHost('127.0.0.1'), '127.0.0.1');
});
