import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sendTo } from '#tests/support/api/send-to-address.ts';
import { hasNginx, startNginx } from '#tests/support/product/nginx.ts';
import { waitFor } from '#tests/support/wait.ts';

test('the log of nginx has no secret of an address', { skip: !hasNginx() }, async (t) => {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nginx = await startNginx([address, address]);
  t.after(() => nginx.stop());
  const { send, close } = sendTo(nginx);
  t.after(close);
  const secret = 'SECRET';
  const paths = [
    `/api/calendar/${secret}.ics`,
    `/api/auth/verify-reset-token/${secret}`,
    `/api/auth/verify-invitation/${secret}`,
    `/api/unsubscribe/${secret}`,
    `/api/subscribe/${secret}`,
    `/api/auth/oidc/callback?code=${secret}`,
    `/reset-password/${secret}`,
    `/invitation/${secret}`,
    `/unsubscribe/${secret}/more`,
    `/api/%63alendar/${secret}`,
    `/api/calendar%2F${secret}`,
    `/Reset%2Dpassword/${secret}`,
    `/api/%E0%A4%A/calendar/${secret}`,
    `/api/%0A/calendar/${secret}`,
    `/unsubscribe/${secret}/calendar/x`,
    '/last',
  ];
  for (const path of paths) await send(`GET ${path}`);
  const log = await waitFor('the log', async () => {
    const text = await nginx.readLog();
    return text.includes('/last') && text;
  });
  assert.doesNotMatch(log, /SECRET/);
  assert.match(log, /"GET \/api\/calendar\/\[secret\]" 200/);
  assert.match(log, /"GET \/api\/auth\/oidc\/callback" 200/);
});
