import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TOTP } from 'otpauth';
import { findFreePort } from '#server/runtime/free-port.ts';
import { startSmtp } from '#tests/support/mail/smtp-server.ts';
import { oidcClient, startOidcProvider } from '#tests/support/oidc/oidc-provider.ts';
import { callApi, makeStandardUser, registerUser, type UserAccount } from '#tests/support/product/client.ts';
import { type Product, startProduct } from '#tests/support/product/product-process.ts';
import { smokeTest } from '#tests/support/product/smoke.ts';
import { waitFor } from '#tests/support/wait.ts';
import { startReceiver } from '#tests/support/webhooks/receiver.ts';

// People sign in to the built product in every way, and it sends mails and webhooks.

let smtp: Awaited<ReturnType<typeof startSmtp>>;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let product: Product;
let account: UserAccount;

before(async () => {
  const port = await findFreePort('127.0.0.1');
  [smtp, provider] = await Promise.all([
    startSmtp(),
    startOidcProvider(`http://127.0.0.1:${port}/api/auth/oidc/callback`),
  ]);
  product = await startProduct({
    env: {
      PORT: String(port),
      SMTP_URL: smtp.url,
      MAIL_FROM: 'coverdesk@example.test',
      ALLOW_PRIVATE_WEBHOOKS: '1',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
    },
  });
  ({ account } = await makeStandardUser(product.admin, 'Acme'));
});
after(async () => {
  await product.stop();
  await provider.close();
  await smtp.close();
});

const signIn = ({ email, password }: UserAccount) =>
  callApi<{ token?: string; challenge?: string }>({ url: product.url }, 'POST', '/auth/login', {
    email,
    password,
  });

smokeTest('product.ts api-process.ts', 'the API process answers that it is ready', async () => {
  assert.equal((await fetch(`${product.url}/api/health/ready`)).status, 200);
});

smokeTest('session-token.ts jose', 'a password signs in', async () => {
  assert.equal((await signIn(account)).token?.split('.').length, 3);
});

smokeTest('common-passwords.ts common-passwords.txt', 'a common password is refused', async () => {
  const { token = '' } = await signIn(account);
  const change = { currentPassword: account.password, newPassword: 'password123' };
  await assert.rejects(
    callApi({ url: product.url, token }, 'POST', '/auth/change-password', change),
    /400.*newPassword/,
  );
});

smokeTest('mail.ts nodemailer', 'a mail with a reset link is sent by SMTP', async () => {
  await callApi({ url: product.url }, 'POST', '/auth/forgot-password', { email: account.email });
  await waitFor('the mail', async () => smtp.got.some(({ to }) => to.includes(account.email)));
});

smokeTest('single-sign-on.service.ts provider.ts', 'an identity provider signs in', async () => {
  provider.people.set('ayu', { email: account.email, email_verified: true });
  const cookies = new Map<string, string>();
  /** Follows redirects as a browser does, with the cookies of the product and of the provider. */
  async function browse(address: string): Promise<URL> {
    for (let next = address; ; ) {
      const url = new URL(next);
      if (url.pathname.startsWith('/interaction/')) url.searchParams.set('subject', 'ayu');
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const to = answer.headers.get('location');
      if (!to) return url;
      next = new URL(to, url).href;
    }
  }
  const landed = await browse(`${product.url}/api/auth/oidc`);
  const code = new URLSearchParams(landed.hash.slice(1)).get('code') ?? landed.searchParams.get('code');
  assert.ok(code, landed.href);
  const { token } = await callApi<{ token: string }>({ url: product.url }, 'POST', '/auth/oidc/token', {
    code,
  });
  assert.equal(token.split('.').length, 3);
});

smokeTest('totp.ts otpauth', 'a second factor is set up and signs in', async () => {
  const { companyCode } = account;
  const second = await registerUser(product.admin, 'Budi Santoso', companyCode);
  const { token: first = '' } = await signIn(second);
  const changed = { ...second, password: 'the second one' };
  const { token } = await callApi<{ token: string }>(
    { url: product.url, token: first },
    'POST',
    '/auth/change-password',
    { currentPassword: second.password, newPassword: changed.password },
  );
  const session = { url: product.url, token };
  const { secret } = await callApi<{ secret: string }>(session, 'POST', '/auth/totp');
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
  await callApi(session, 'POST', '/auth/totp/confirm', { code: codeAt(Date.now()) });
  const { challenge } = await signIn(changed);
  // The code of the next step is valid, too, and was not used.
  const answer = await callApi<{ token: string }>({ url: product.url }, 'POST', '/auth/second-factor', {
    challenge,
    code: codeAt(Date.now() + 30_000),
  });
  assert.equal(answer.token.split('.').length, 3);
});

test('a webhook is delivered', async () => {
  const receiver = await startReceiver();
  try {
    const { _id } = await callApi<{ _id: string }>(product.admin, 'POST', '/webhooks', {
      url: receiver.url,
      events: ['ticket.completed'],
      active: true,
    });
    await callApi(product.admin, 'POST', `/webhooks/${_id}/test`);
    await waitFor('the message', async () => receiver.received.length > 0);
  } finally {
    await receiver.close();
  }
});
