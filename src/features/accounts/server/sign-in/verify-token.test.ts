import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { importSecret, verifyToken } from './authenticate.service.ts';

const secret = 'a secret of this test, of no use elsewhere';
const now = 1_800_000_000;
const good = { sub: '7', iat: now - 10, exp: now + 10 };

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function sign(header: unknown, payload: unknown, by = { algorithm: 'sha256', secret }): string {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(by.algorithm, by.secret).update(signed).digest('base64url')}`;
}

const head = { alg: 'HS256', typ: 'JWT' };
const whole = sign(head, good);
const [h = '', p = '', s = ''] = whole.split('.');
const tokens: Record<string, string> = {
  whole,
  'another order of claims': sign(
    { typ: 'JWT', alg: 'HS256' },
    { more: [1], exp: good.exp, sub: '7', iat: good.iat },
  ),
  'another secret': sign(head, good, { algorithm: 'sha256', secret: 'another secret that is long enough' }),
  'another payload': `${h}.${encode({ ...good, sub: '1' })}.${s}`,
  'another header': `${encode({ alg: 'HS256' })}.${p}.${s}`,
  'no signature': `${h}.${p}.`,
  'half a signature': `${h}.${p}.${s.slice(0, 20)}`,
  'more of a signature': `${whole}AAAA`,
  'four parts': `${whole}.x`,
  'two parts': `${h}.${p}`,
  'no algorithm': `${encode({ alg: 'none' })}.${p}.`,
  'none, signed': sign({ alg: 'none' }, good),
  HS512: sign({ alg: 'HS512' }, good, { algorithm: 'sha512', secret }),
  'HS512 by name': sign({ alg: 'HS512' }, good),
  'critical extensions': sign({ ...head, crit: ['exp'] }, good),
  'an unencoded payload': sign({ ...head, crit: ['b64'], b64: false }, good),
  'no header': sign('[]', good),
  'header without JSON': sign('{', good),
  'payload without JSON': sign(head, 'x'),
  'payload null': sign(head, 'null'),
  'a list for payload': sign(head, '[1]'),
  'no sub': sign(head, { iat: good.iat, exp: good.exp }),
  'no iat': sign(head, { sub: '7', exp: good.exp }),
  'no exp': sign(head, { sub: '7', iat: good.iat }),
  'exp a text': sign(head, { ...good, exp: String(good.exp) }),
  'iat a text': sign(head, { ...good, iat: 'now' }),
  'not yet': sign(head, { ...good, nbf: now + 1 }),
  'just now': sign(head, { ...good, nbf: now }),
  'nbf a text': sign(head, { ...good, nbf: 'x' }),
  'expires now': sign(head, { ...good, exp: now }),
  'expires next': sign(head, { ...good, exp: now + 1 }),
  'long expired': sign(head, { ...good, exp: 1 }),
  'expired, another secret': sign(head, { ...good, exp: 1 }, { algorithm: 'sha256', secret: 'x'.repeat(32) }),
};

const accepted = ['whole', 'another order of claims', 'just now', 'expires next'];
const expired = ['expires now', 'long expired'];

for (const [what, token] of Object.entries(tokens)) {
  const verdict = accepted.includes(what) ? 'accepted' : expired.includes(what) ? 'expired' : 'malformed';
  test(`a session token is ${verdict}: ${what}`, async () => {
    const claims = await verifyToken(await importSecret(secret), token, new Date(now * 1000));
    assert.equal(typeof claims === 'object' ? 'accepted' : claims, verdict);
    if (typeof claims === 'object') assert.equal(claims.sub, '7');
  });
}
