import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startNameServer } from '#tests/support/name-server.ts';
import { resolveName } from './resolve-name.ts';

const asked: string[] = [];
let names: Awaited<ReturnType<typeof startNameServer>>;
before(async () => {
  names = await startNameServer((name) => {
    asked.push(name);
    if (name.startsWith('silent')) return undefined;
    return name === 'receiver.example' ? ['192.0.2.1', '192.0.2.2'] : [];
  });
});
after(() => names.close());

test('names whose name server does not answer delay no other name', { timeout: 30_000 }, async () => {
  const ended: string[] = [];
  const silent = Array.from({ length: 20 }, (_, at) =>
    resolveName(`silent${at}.example`, false, [names.address]).catch((error) => ended.push(error.code)),
  );
  assert.deepEqual(await resolveName('receiver.example', true, [names.address]), [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
  ]);
  assert.equal((await resolveName('localhost', true, [names.address])).length > 0, true);
  assert.deepEqual(ended, []);
  await Promise.all(silent);
  // The system is not asked for them afterwards, where they would hang.
  assert.deepEqual(ended, Array(20).fill('ETIMEOUT'));
});

test('a name that does not exist fails', async () => {
  for (const isPublic of [true, false])
    await assert.rejects(resolveName('missing.invalid', isPublic, [names.address]), {
      code: /^(ENOTFOUND|EAI_AGAIN)$/,
    });
});

test('only the system is asked for its own names', async () => {
  asked.length = 0;
  for (const name of ['localhost', '127.1', '0x7f.0.0.1', '2130706433'])
    assert.equal(
      (await resolveName(name, true, [names.address])).every(({ address }) =>
        /^(127\.0\.0\.1|::1)$/.test(address),
      ),
      true,
      name,
    );
  assert.deepEqual(asked, []);
});
